"""The server and its engine shut themselves in: what the kernel says about their processes, and who may start them.

What a confined process can no longer do is tried in tests/unit/test_confine.c; here are the real processes. Where the
kernel lacks seccomp or Landlock, their tests are skipped."""

import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess

import pytest

from retwis_server import IS_STATIC, RETWIS, Browser, NotStarted, Server, wait_until

NOBODY = 65534
_LANDLOCK_CREATE_RULESET = 444  # the same on all machines
LANDLOCK = ctypes.CDLL(None, use_errno=True).syscall(_LANDLOCK_CREATE_RULESET, None, 0, 1)

confined = pytest.mark.skipif(not IS_STATIC, reason="a build with sanitizers is not confined")
needs_seccomp = pytest.mark.skipif(not os.path.exists("/proc/sys/kernel/seccomp"), reason="a kernel without seccomp")
needs_landlock = pytest.mark.skipif(LANDLOCK < 2, reason=f"a kernel without Landlock 2 (it has {LANDLOCK})")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")


def status(pid):
    """The fields of /proc/PID/status."""
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return dict(line.rstrip("\n").split(":\t", 1) for line in f)


def core_limit(pid):
    """Hard limit of the size of core dumps."""
    with open(f"/proc/{pid}/limits", encoding="ascii") as f:
        return re.search(r"Max core file size +\S+ +(\S+)", f.read())[1]


def foreign(**options):
    """A server whose state directory belongs to nobody (the user): root becomes that."""
    server = Server(start=False, **options)
    os.chmod(server.directory, 0o755)
    os.chown(server.state, NOBODY, NOBODY)
    server.env["RETWIS_PROCESS_ALLOW_ROOT"] = "no"
    return server


@confined
def test_program_is_hardened():
    """Static, at addresses that nobody knows before, with nothing that is writable and executable, or still to be bound."""
    def readelf(option):
        return subprocess.run(["readelf", "--wide", option, RETWIS], check=True, capture_output=True, text=True).stdout

    assert re.search(r"Type:\s+DYN", readelf("--file-header"))
    segments = re.findall(r"^  (\w+)(?: +0x[0-9a-f]+){5} ([R W]{2}[ E])", readelf("--program-headers"), re.M)
    assert {"LOAD", "GNU_RELRO", "GNU_STACK"} <= {name for name, _ in segments} and "INTERP" not in dict(segments)
    assert not [s for s in segments if "W" in s[1] and "E" in s[1]]
    assert re.search(r"FLAGS_1.*NOW.*PIE", readelf("--dynamic")) and "NEEDED" not in readelf("--dynamic")


@confined
@needs_seccomp
def test_processes_are_confined(push_server):
    """Server and engine: no new privileges, a filter of system calls (two for the engine), no core dumps, files for nobody."""
    filters = {}
    for who, pid in (("server", push_server.process.pid), ("engine", push_server.engine_pid())):
        fields = status(pid)
        assert fields["NoNewPrivs"] == "1", who
        assert fields["Seccomp"] == "2", who
        assert fields["Umask"] == "0077", who
        assert core_limit(pid) == "0", who
        filters[who] = int(fields.get("Seccomp_filters", "0"))
    own = int(status("self").get("Seccomp_filters", "0"))
    assert filters in ({"server": own + 1, "engine": own + 2}, {"server": 0, "engine": 0})


@confined
@needs_seccomp
def test_log_says_what_is_in_force(push_server):
    """One line, and a warning for what this kernel does not have."""
    line, = [text for text in push_server.log_lines() if "sandbox: system calls" in text]
    assert "system calls confined (seccomp)" in line
    files = f"confined (Landlock {LANDLOCK}" if LANDLOCK >= 2 else "not confined"
    assert f"files and ports {files}" in line
    assert ("this kernel has no Landlock" in push_server.log()) == (LANDLOCK < 2)


def test_can_be_turned_off():
    """process.sandbox and process.core_dumps: for people with debuggers. New privileges there are none even so."""
    with Server(env={"RETWIS_PROCESS_SANDBOX": "no", "RETWIS_PROCESS_CORE_DUMPS": "yes"}) as server:
        for pid in (server.process.pid, server.engine_pid()):
            assert status(pid)["Seccomp"] == status("self")["Seccomp"]
            assert status(pid)["NoNewPrivs"] == "1"
            assert core_limit(pid) == core_limit("self")
        assert "sandbox: turned off by process.sandbox = no" in server.log()
        Browser(server).sign_up("alice").post("in the open")


@confined
@needs_landlock
def test_files_outside_are_out_of_reach():
    """A link out of web_dir, which the program would follow, leads nowhere; what lies inside is served."""
    with Server(start=False) as server:
        web = os.path.join(server.directory, "web")
        shutil.copytree(os.path.join(os.path.dirname(__file__), "..", "..", "web"), web)
        style = next(os.path.join(path, name) for path, _, names in os.walk(web) for name in names if name.endswith(".css"))
        url = "/" + os.path.relpath(style, web)
        outside = os.path.join(server.directory, "outside.css")
        os.rename(style, outside)
        server.env["RETWIS_HTTP_WEB_DIR"] = web

        def look():
            server.start()
            page = Browser(server).get("/about")
            url = page.one("link[rel=stylesheet]")["href"]
            answer = Browser(server).get(url, expect=None)
            server.stop()
            return answer.status

        os.symlink(outside, style)
        assert look() != 200, url
        os.remove(style)
        os.rename(outside, style)
        assert look() == 200, url


@pytest.mark.skipif(not IS_STATIC, reason="the program of a build with sanitizers is found by its libraries")
def test_engine_starts_again_after_an_upgrade():
    """The file of the program is replaced and then removed: a running server starts its engine from what it was."""
    with Server(start=False) as server:
        program = os.path.join(server.directory, "retwis")
        shutil.copy(RETWIS, program)
        server.command = [program]
        server.start()
        alice = Browser(server).sign_up("alice")
        alice.post("before")
        shutil.copy(RETWIS, program + ".new")
        os.rename(program + ".new", program)
        for step in ("replaced", "removed"):
            pid = server.engine_pid()
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: server.health() == 200 and server.engine_pid() != pid, 20, step)
            assert "running again" in server.log() and alice.get("/home").texts == ["before"], step
            if step == "replaced":
                os.remove(program)


@needs_root
def test_root_does_not_serve():
    """Not in a directory of its own unless told to, and none is made either."""
    with Server(start=False) as server:
        server.env["RETWIS_PROCESS_ALLOW_ROOT"] = "no"
        os.rmdir(server.state)
        for _ in range(2):
            with pytest.raises(NotStarted) as refusal:
                server.start()
            assert refusal.value.status == 1
            assert "root does not serve" in refusal.value.text and "process.allow_root" in refusal.value.text
            assert server.state in refusal.value.text
            os.makedirs(server.state, 0o700, exist_ok=True)
        assert os.listdir(server.state) == []


@needs_root
def test_root_becomes_the_owner():
    """With nothing left of root: ids, groups, capabilities, files. And nobody else's debugger looks into it."""
    with foreign() as server:
        server.start()
        Browser(server).sign_up("alice").post("as nobody")
        for pid in (server.process.pid, server.engine_pid()):
            fields = status(pid)
            assert fields["Uid"].split() == fields["Gid"].split() == [str(NOBODY)] * 4
            assert fields["Groups"].split() == []
            assert int(fields["CapEff"], 16) == int(fields["CapPrm"], 16) == 0
            if IS_STATIC:  # not confined otherwise; the files of a process that must not be looked at belong to root
                assert os.stat(f"/proc/{pid}/stat").st_uid == 0
        for directory, names, files in os.walk(server.state):
            for name in names + files:
                assert os.lstat(os.path.join(directory, name)).st_uid == NOBODY, name
        server.restart(RETWIS_PROCESS_CORE_DUMPS="yes")
        for pid in (server.process.pid, server.engine_pid()):
            if IS_STATIC:
                assert os.stat(f"/proc/{pid}/stat").st_uid == NOBODY


def test_state_of_an_earlier_version():
    """Its socket lay in the state directory: that is removed, and the engine's directory closed."""
    with Server() as server:
        Browser(server).sign_up("alice").post("before the upgrade")
        server.stop()
        old, engine = os.path.join(server.state, "engine.sock"), os.path.join(server.state, "engine")
        assert not os.path.exists(os.path.join(engine, "sock")), "a clean end leaves no socket"
        os.chmod(engine, 0o755)
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(old)
        server.start()
        assert not os.path.exists(old)
        assert os.stat(engine).st_mode & 0o777 == 0o700
        assert re.search(r"^alice ", server.cli("user", "list"), re.M)
