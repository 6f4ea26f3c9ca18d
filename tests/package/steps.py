"""The life of the package on a fresh Debian: each step is a function of one story, in the order of this file.

  steps.py TREE DEB NEWER_DEB      TREE: a Debian with systemd; must run as root (see `run`)

People are a browser without JavaScript (tests/e2e) that connects from the machine itself.
"""

import json
import pathlib
import re
import signal
import sys
import threading
import time

import requests

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

# pylint: disable=wrong-import-position
from machine import CannotBoot, Machine, landlock_version
from retwis_browser import Browser

UNIT = "retwis.service"
STATE = "/var/lib/retwis"
INI = "/etc/retwis/retwis.ini"
PARTS = "/etc/retwis/conf.d"
PASSWORD = "correct horse battery"
EXPOSURE_MAX = 1.2
READY_SECONDS = 90  # after which it is given up: the service itself waits up to ten seconds after several deaths

STEPS = []


def step(function):
    """Its text is what the report says."""
    STEPS.append(function)
    return function


class Site:
    """What Browser wants to know of a server."""

    def __init__(self, port=8080):
        self.url = f"http://127.0.0.1:{port}"

    def answers(self):
        """True if the site is healthy."""
        try:
            return requests.get(self.url + "/health", timeout=30).status_code == 200
        except requests.RequestException:
            return False


class Story:
    """What one step leaves for the next."""

    def __init__(self, machine, deb, newer):
        self.machine = machine
        self.deb, self.newer = (f"/mnt/{pathlib.Path(f).name}" for f in (deb, newer))
        self.site = Site()
        self.ann = Browser(self.site)
        self.before = None

    def run(self, *command, **options):
        """A command in the machine; its output."""
        return self.machine.run(*command, **options).stdout.strip()

    def retwis(self, *arguments, **options):
        """The command-line tool, as root: the administrator's way."""
        return self.run("retwis", *arguments, **options)

    def unit(self, name):
        """A property of the service."""
        return self.run("systemctl", "show", "--value", "--property", name, UNIT)

    def apt(self, *arguments):
        """apt, which has no network: what the package needs must be there."""
        return self.run("apt-get", "--yes", "--option=Dpkg::Use-Pty=0", *arguments)

    def wait(self, what, seconds=READY_SECONDS):
        """Until something is true."""
        end = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.05)

    def wait_until_running(self):
        """Until the service says that it is ready and the site answers."""
        self.wait(lambda: self.unit("ActiveState") == "active")
        self.wait(self.site.answers)

    def check_post(self):
        """Ann is still signed in, and what she wrote is where it was."""
        assert "The first post." in self.ann.get("/home").texts
        assert "The first post." in Browser(self.site).get("/@ann").texts

    def check_sign_in(self, name):
        """An account works."""
        assert Browser(self.site).try_sign_in(name, PASSWORD).path == "/home"

    def check_owner(self):
        """Nothing in the state directory that the service could not open."""
        assert self.run("find", STATE, "-not", "(", "-user", "retwis", "-group", "retwis", ")") == ""

    def restore(self, archive):
        """What README.md says of restoring."""
        self.run("systemctl", "stop", UNIT)
        self.run("mv", STATE, STATE + ".old")
        self.run("tar", "-xzpf", archive, "-C", "/var/lib")
        self.run("chown", "-R", "retwis:", STATE)
        self.run("systemctl", "start", UNIT)

    def files(self):
        """All files that a package could leave behind."""
        found = self.run("find", "/etc", "/usr", "/opt", "/srv", "/lib/systemd/", "/var", "-xdev")
        others = re.compile(r"/var/(cache|log|tmp|lib/(dpkg|apt|redis))/|/etc/.*-$|\.pyc$")
        return {f for f in found.splitlines() if not others.match(f)}


@step
def install(s):
    """apt installs it without needing anything else, and the service runs"""
    s.before = s.files()
    s.apt("install", s.deb)
    s.wait_until_running()
    assert s.unit("UnitFileState") == "enabled"
    assert s.run("stat", "-c", "%U:%G %a", STATE) == "retwis:retwis 700"
    assert s.run("stat", "-c", "%U:%G %a", INI) == "root:root 644"
    examples = "/usr/share/doc/retwis/examples"
    s.run("cmp", f"{examples}/retwis.ini", "/mnt/retwis.ini")
    for name in ("nginx.conf", "Caddyfile", "prometheus-alerts.yml", "grafana-dashboard.json", "low-ports.conf"):
        assert s.run("cat", f"{examples}/{name}"), name
    assert "Two commands" in s.run("sh", "-c", "zcat -f /usr/share/doc/retwis/README.md*")
    assert "_retwis" in s.run("cat", "/usr/share/bash-completion/completions/retwis")


@step
def sandbox(s):
    """systemd rates the unit as hardly exposed, and nothing is amiss in the journal"""
    rating = s.run("systemd-analyze", "security", "--offline=yes", "--no-pager", f"/lib/systemd/system/{UNIT}")
    exposure = float(re.search(r"exposure level for \S+: ([\d.]+)", rating)[1])
    print(f"        exposure {exposure}")
    assert exposure <= EXPOSURE_MAX
    assert s.run("systemd-analyze", "verify", "--man=no", f"/lib/systemd/system/{UNIT}") == ""
    check_journal(s)
    own = re.search("info serve: sandbox: .*", journal(s))[0]
    assert "system calls confined (seccomp)" in own, own
    assert landlock_version() < 2 or "files and ports confined (Landlock" in own, own


def journal(s):
    """What the service has said."""
    return s.run("journalctl", "--no-pager", "--output=cat", f"--unit={UNIT}")


def check_journal(s):
    """No line of the service's log is a complaint, be it the server's, the engine's or systemd's."""
    log = journal(s)
    complaint = re.compile(r"\b(warning|error|failed|denied|not permitted)\b", re.I)
    bad = [line for line in log.splitlines() if complaint.search(line)]
    if landlock_version() < 2:
        print("        this kernel has no Landlock: files and ports are not confined")
        bad = [line for line in bad if "this kernel has no Landlock" not in line]
    assert not bad, "\n".join(bad)


@step
def bill_of_materials(s):
    """the list of components names all that the program says is in it"""
    bom = json.loads(s.run("cat", "/usr/share/doc/retwis/retwis.cdx.json"))
    versions = {c["name"]: c["version"] for c in bom["components"]}
    for line in s.retwis("version").splitlines()[1:]:
        name, version = line.replace(",", "").split()[:2]
        listed = [v for k, v in versions.items() if name in k]
        assert any(re.sub(r"^\d+:", "", v).startswith(version) for v in listed), f"{line}: {listed}"
    for text in ("BSD 3-Clause", "OpenSSL Project", "GNU Lesser General Public", "The Retwis developers"):
        assert text in s.run("cat", "/usr/share/doc/retwis/copyright"), text


@step
def sign_up(s):
    """a visitor signs up and posts"""
    s.ann.sign_up("ann", PASSWORD)
    s.ann.submit(s.ann.get("/home").form("/posts"), status="The first post.")
    s.check_post()


@step
def restart(s):
    """systemctl restart: the post is still there, and so is the session"""
    s.run("systemctl", "restart", UNIT)
    assert s.site.answers(), "ready is announced before it is true"
    s.check_post()


@step
def reload(s):
    """systemctl reload: the same process goes on"""
    pid = s.unit("MainPID")
    s.run("systemctl", "reload", UNIT)
    time.sleep(0.5)
    assert s.unit("MainPID") == pid and s.site.answers()


@step
def kill_server(s):
    """the server is killed: systemd starts it again, nothing is lost"""
    pid = s.unit("MainPID")
    s.run("sh", "-c", f"kill -9 {pid}")
    s.wait(lambda: s.unit("MainPID") not in (pid, "0"))
    s.wait_until_running()
    s.check_post()


@step
def dying_server(s):
    """one that dies again and again comes back later each time"""
    for _ in range(3):
        s.run("systemctl", "kill", "--signal=KILL", "--kill-whom=main", UNIT)
        s.wait(lambda: s.unit("ActiveState") != "active")
        s.wait_until_running()
    assert "did not end in order: waiting" in s.run("journalctl", "--no-pager", f"--unit={UNIT}", "--lines=60")
    s.run("systemctl", "restart", UNIT)  # in order: forgotten
    s.check_post()


@step
def kill_engine(s):
    """the engine is killed: the server starts it again inside the sandbox"""
    pid = s.unit("MainPID")
    children = ["sh", "-c", f"cat /proc/{pid}/task/*/children"]
    engine = s.run(*children)
    s.run("sh", "-c", f"kill -9 {engine}")
    s.wait(lambda: s.run(*children) not in ("", engine))
    s.wait(s.site.answers)
    assert s.unit("MainPID") == pid
    s.check_post()


@step
def hanging_server(s):
    """a server that does nothing any more is noticed by systemd's watchdog"""
    directory = f"/run/systemd/system/{UNIT}.d"
    s.run("sh", "-c", f"mkdir {directory} && printf '[Service]\nWatchdogSec=6\n' >{directory}/watchdog.conf"
                      " && systemctl daemon-reload")
    s.run("systemctl", "restart", UNIT)
    pid = s.unit("MainPID")
    time.sleep(7)
    assert s.unit("MainPID") == pid, "one that works is restarted"
    s.run("sh", "-c", f"kill -STOP {pid}")
    s.wait(lambda: s.unit("MainPID") not in (pid, "0"))
    s.run("sh", "-c", f"rm -r {directory} && systemctl daemon-reload")
    s.wait_until_running()
    s.check_post()


@step
def tool_while_running(s):
    """root adds an account while the service runs"""
    s.retwis("user", "add", "bob", "--admin", "--password-stdin", input=PASSWORD + "\n")
    assert "bob" in s.retwis("user", "list")
    s.retwis("settings", "set", "site.name", "Packaged")
    s.check_owner()
    s.check_sign_in("bob")


@step
def tool_while_stopped(s):
    """root adds an account while the service is stopped, and it starts then"""
    s.run("systemctl", "stop", UNIT)
    assert not s.site.answers()
    s.retwis("user", "add", "cid", "--password-stdin", input=PASSWORD + "\n")
    s.check_owner()
    s.run("systemctl", "start", UNIT)
    s.check_sign_in("cid")
    s.check_post()


@step
def backup_and_restore(s):
    """what README.md says of backing up and restoring brings everything back, on a machine that had gone on"""
    s.run("systemctl", "stop", UNIT)
    s.run("tar", "-czpf", "/root/retwis.tar.gz", "-C", "/var/lib", "retwis")
    s.run("systemctl", "start", UNIT)
    s.retwis("user", "add", "eve", "--password-stdin", input=PASSWORD + "\n")
    s.retwis("settings", "set", "site.name", "Later")
    s.restore("/root/retwis.tar.gz")
    s.check_owner()
    s.check_post()
    s.check_sign_in("cid")
    assert "eve" not in s.retwis("user", "list")
    assert "Packaged" in s.retwis("settings", "get", "site.name")
    assert "no errors" in s.retwis("check", "--homes")
    s.run("rm", "-r", STATE + ".old", "/root/retwis.tar.gz")


@step
def live_backup(s):
    """the example for cron backs up a site that is being written to; what it was told before is in the archive"""
    script = "/usr/share/doc/retwis/examples/backup"
    s.run("sh", "-c", "cp " + script + " /usr/local/sbin/retwis-backup && chmod +x /usr/local/sbin/retwis-backup")
    stop, written = threading.Event(), []

    def write():
        while not stop.is_set() and len(written) < 20: # limits.post is 30 a minute
            s.ann.submit(s.ann.get("/home").form("/posts"), status=f"Meanwhile {len(written)}.")
            written.append(len(written))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        s.wait(lambda: len(written) > 3)
        before = len(written)
        s.run("/usr/local/sbin/retwis-backup", "/root/live.tar.gz")
    finally:
        stop.set()
        writer.join()
    assert s.run("ls", STATE).find("backup") < 0
    s.restore("/root/live.tar.gz")
    s.wait_until_running()
    s.check_owner()
    assert f"Meanwhile {before - 1}." in Browser(s.site).get("/@ann").texts
    assert "no errors" in s.retwis("check", "--homes")
    s.run("rm", "-r", STATE + ".old", "/root/live.tar.gz", "/usr/local/sbin/retwis-backup")


@step
def tool_on_nothing(s):
    """root's command before there is a state directory does not lock the service out"""
    s.run("systemctl", "stop", UNIT)
    s.run("mv", STATE, STATE + ".aside")
    s.retwis("user", "add", "dan", "--password-stdin", input=PASSWORD + "\n")
    s.run("systemctl", "start", UNIT)
    s.check_owner()
    s.check_sign_in("dan")
    s.run("systemctl", "stop", UNIT)
    s.run("sh", "-c", f"rm -rf {STATE} && mv {STATE}.aside {STATE}")
    s.run("systemctl", "start", UNIT)
    s.check_post()


@step
def wrong_configuration(s):
    """a mistake in the configuration is said and not tried again and again"""
    s.run("sh", "-c", f"cp {INI} /root/saved && echo 'nonsense = 1' >>{INI}")
    assert s.machine.run("systemctl", "restart", UNIT, check=False).returncode != 0
    time.sleep(2)
    assert s.unit("ActiveState") == "failed"
    assert "nonsense" in s.run("journalctl", "--no-pager", f"--unit={UNIT}", "--lines=20")
    assert s.machine.run("retwis", "check-config", check=False).returncode == 2
    s.run("sh", "-c", f"cat /root/saved >{INI}")


@step
def configuration(s):
    """the administrator changes the configuration, in a file of conf.d and in the one of the package"""
    s.run("sh", "-c", f"printf '[http]\nlisten = 8080, 8081\n' >{PARTS}/ports.ini")
    s.run("sh", "-c", f"printf '[timeline]\npage = 19\n' >>{INI}")
    s.run("systemctl", "restart", UNIT)
    assert s.site.answers() and Site(8081).answers()
    assert "timeline.page = 19" in s.retwis("check-config", "--print")


@step
def upgrade(s):
    """an unattended upgrade asks nothing, restarts the service and keeps data and changed configuration"""
    pid, before = s.unit("MainPID"), s.run("cat", INI)
    s.run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", "--option=Dpkg::Use-Pty=0", "install", s.newer)
    s.wait_until_running()
    assert s.unit("MainPID") != pid
    assert "upgrade" in s.run("dpkg-query", "-W", "-f", "${Version}", "retwis")
    assert Site(8081).answers() and s.run("cat", INI) == before
    s.check_post()
    s.check_sign_in("cid")


@step
def low_port(s):
    """with the example's drop-in it listens on port 80"""
    directory = f"/etc/systemd/system/{UNIT}.d"
    s.run("sh", "-c", f"mkdir {directory} && cp /usr/share/doc/retwis/examples/low-ports.conf {directory}/"
                      f" && sed -i 's/^listen = .*/listen = 8080, 8081, 80/' {PARTS}/ports.ini && systemctl daemon-reload")
    s.run("systemctl", "restart", UNIT)
    assert Site(80).answers()
    s.run("sh", "-c", f"rm -r {directory} && sed -i 's/, 80$//' {PARTS}/ports.ini && systemctl daemon-reload")
    s.run("systemctl", "restart", UNIT)


@step
def move_to_redis(s):
    """what README.md says of moving the data into Debian's redis-server, and back"""
    s.run("sh", "-c", "printf 'appendonly yes\nappendfsync everysec\nhash-max-listpack-value 4096\n' >>/etc/redis/redis.conf")
    s.run("systemctl", "restart", "redis-server")
    s.run("systemctl", "stop", UNIT)
    assert "errors: 0" in s.run("sh", "-c", "retwis engine-export - | redis-cli --pipe")
    s.run("sh", "-c", f"printf '[redis]\nurl = redis://127.0.0.1:6379\n' >{PARTS}/redis.ini")
    assert "good" in s.retwis("check-config")
    s.run("systemctl", "start", UNIT)
    s.wait_until_running()
    s.check_post()
    s.check_sign_in("cid")
    assert "no errors" in s.retwis("check", "--homes")
    assert int(s.run("redis-cli", "dbsize")) > 10
    s.run("rm", f"{PARTS}/redis.ini")
    s.run("systemctl", "restart", UNIT)
    s.run("systemctl", "stop", "redis-server")
    s.check_post()


@step
def remove(s):
    """removal ends the service and keeps data and configuration"""
    s.apt("remove", "retwis")
    assert not s.site.answers() and s.unit("ActiveState") == "inactive"
    assert s.machine.run("test", "-e", "/usr/bin/retwis", check=False).returncode != 0
    assert s.run("ls", STATE) and "8081" in s.run("cat", f"{PARTS}/ports.ini") and "page = 19" in s.run("cat", INI)


@step
def reinstall(s):
    """installed again, it goes on where it was"""
    s.apt("install", s.newer)
    s.wait_until_running()
    assert Site(8081).answers()
    s.check_post()


@step
def purge(s):
    """a purge leaves no file behind"""
    s.apt("purge", "retwis")
    assert not s.site.answers()
    left = s.files() - s.before
    assert not left, f"left behind: {sorted(left)}"
    assert not s.before - s.files(), "took something along"


@step
def first_release(s):
    """an unattended upgrade from 0.1.0, whose configuration was a conffile that somebody changed"""
    s.run("sh", "-c", "mkdir -p /root/old/DEBIAN /root/old/etc/retwis && cd /root/old && cp /mnt/retwis.ini etc/retwis/"
                      " && echo /etc/retwis/retwis.ini >DEBIAN/conffiles"
                      " && printf 'Package: retwis\nVersion: 0.1.0\nArchitecture: all\nMaintainer: n <n@n.invalid>\n"
                      "Description: old\n' >DEBIAN/control && dpkg-deb --root-owner-group --build . /root/old.deb")
    s.apt("install", "/root/old.deb")
    s.run("sed", "-i", "s/^#listen = 8080/listen = 8082/", INI)
    s.run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", "--option=Dpkg::Use-Pty=0", "install", s.newer)
    s.wait(Site(8082).answers)
    assert "listen = 8082" in s.run("cat", INI)
    s.apt("purge", "retwis")
    assert s.machine.run("test", "-e", "/etc/retwis", check=False).returncode != 0


def tell(machine, problem):
    """What is needed to understand a failure."""
    print(f"        {type(problem).__name__}: {problem}")
    for command in (["systemctl", "--no-pager", "--lines=0", "status", UNIT],
                    ["journalctl", "--no-pager", f"--unit={UNIT}", "--lines=60"]):
        print(machine.run(*command, check=False).stdout)


def main():
    """Runs the steps; after one that fails the rest makes no sense."""
    tree, *debs = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *unused: sys.exit(1)) # so that the machine is stopped
    passed = 0
    try:
        with Machine(tree, [*debs, HERE.parent.parent / "retwis.ini"]) as machine:
            machine.enter_network()
            story = Story(machine, *debs)
            for function in STEPS:
                start = time.monotonic()
                try:
                    function(story)
                except Exception as problem: # pylint: disable=broad-except
                    print(f"  FAILED  {function.__name__}: {function.__doc__}")
                    tell(machine, problem)
                    print(f"package: {passed} passed, 1 failed, {len(STEPS) - passed - 1} not run")
                    sys.exit(1)
                passed += 1
                print(f"  ok      {function.__doc__} ({time.monotonic() - start:.1f} s)", flush=True)
    except CannotBoot as problem:
        print(f"package: skipped ({problem})")
        return
    print(f"package: {passed} passed, 0 failed")


main()
