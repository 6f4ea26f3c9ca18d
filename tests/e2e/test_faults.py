"""Bad luck: full disks, engines that hang or die again and again, storms of signals, a server that is started by root."""

import concurrent.futures
import contextlib
import os
import signal
import subprocess
import tempfile
import time

import pytest
import requests

from retwis_page import Page
from retwis_server import STOP_SECONDS, Browser, EngineError, NotStarted, Server, limit, patience, wait_until

IS_ROOT = os.geteuid() == 0


@contextlib.contextmanager
def small_disk(megabytes):
    """A directory on a disk of its own, which is gone afterwards."""
    directory = tempfile.mkdtemp(prefix="rt-", dir="/tmp")
    try:
        if not IS_ROOT or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "none", directory],
                                         capture_output=True, check=False).returncode:
            pytest.skip("no disk can be mounted here")
        try:
            yield directory
        finally:
            subprocess.run(["umount", "-l", directory], check=True)
    finally:
        os.rmdir(directory)


class Ballast:
    """Takes all room there is on a disk, and gives it back."""

    def __init__(self, directory):
        self.path = os.path.join(directory, "ballast")

    def fill(self):
        """To the last byte."""
        with open(self.path, "ab", buffering=0) as f:
            for size in (1 << 20, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while True:
                        f.write(b"x" * size)

    def give_back(self, megabytes):
        """A little of it."""
        os.truncate(self.path, os.path.getsize(self.path) - (megabytes << 20))

    def leave(self, megabytes):
        """All but so much."""
        with open(self.path, "wb") as f:
            disk = os.statvfs(os.path.dirname(self.path))
            os.posix_fallocate(f.fileno(), 0, disk.f_bavail * disk.f_frsize - (megabytes << 20))

    def remove(self):
        """All room is back."""
        os.unlink(self.path)


def look(server, browser, path):
    """A page at the first try: whether somebody who looks now sees it. It comes within seconds, or never."""
    with requests.Session() as session:
        session.trust_env = False
        return Page(session.get(server.url + path, cookies={"retwis": browser.cookie}, timeout=limit(30)))


def try_post(server, browser, text):
    """A post at the first try; the page or the redirection that came of it."""
    with requests.Session() as session:
        session.trust_env = False
        fields = {"csrf_token": browser.token(), "status": text, "next": "/home"}
        return Page(session.post(server.url + "/posts", data=fields, cookies={"retwis": browser.cookie}, timeout=limit(10),
                                 allow_redirects=False))


# --- full disks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("durability", ["everysec", "always"])
def test_disk_is_full(tmp_path, durability):
    """Writes are refused with the text kept and a clear word for the administrator, reading goes on, also after a
    restart; once there is room all is well by itself. Nothing acknowledged is lost."""
    env = {"RETWIS_REDIS_DURABILITY": durability, "RETWIS_REDIS_DISK_RESERVE": "2"}
    with small_disk(16) as disk, Server(tmp_path, directory=disk, env=env) as server:
        alice, bob = [Browser(server).sign_up(n) for n in ("alice", "bob")]
        bob.follow("alice")  # his home has to be built at the next visit
        kept, ballast = [alice.post("before")], Ballast(disk)
        kept_texts = ["before"]
        ballast.fill()
        # those that come before anybody has looked at the disk may still be taken
        refused, end = 0, time.monotonic() + limit(2)
        while refused < 10:
            assert kept and time.monotonic() < end, "posts are still taken"
            text = f"into a full disk {len(kept_texts)}"
            page = try_post(server, alice, text)
            assert page.status in (303, 503)
            if page.status == 303:
                kept_texts.insert(0, text)
            refused += page.status == 503
            time.sleep(0.02)
        for _ in range(2):
            wait_until(lambda: look(server, alice, "/home").status == 200, 5, "pages are read again")
            for _ in range(20):
                page = try_post(server, alice, "no room for me")
                assert page.status == 503 and page.form("#compose").values["status"] == "no room for me"
                assert "Nothing can be saved" in page.errors["form"]
                for reader in (alice, bob):
                    for path in ("/home", "/public", "/@alice", "/about"):
                        assert look(server, reader, path).status == 200, path
                assert look(server, alice, "/@alice").texts == kept_texts
            health = look(server, alice, "/health")
            assert health.status == 503 and "disk is full" in health.text
            said = server.cli("settings", "set", "site.name", "Full", expect=None)
            assert said.returncode == 0 or "full" in said.stderr
            server.stop()
            try:
                server.start(wait=False)
            except NotStarted as e:
                assert "settings.db: cannot be opened: the disk is full" in e.text
                ballast.give_back(1)
                server.start(wait=False)
        ballast.remove()
        server.wait_healthy(5)
        assert alice.get("/@alice").texts == kept_texts == bob.get("/home").texts
        alice.post("after")
        with server.engine() as engine:
            assert engine("CONFIG", "GET", "appendfsync")[1] == (b"always" if durability == "always" else b"no")
        server.restart()
        assert alice.get("/@alice").texts == ["after"] + kept_texts
        assert "redis.disk_reserve" in server.log()


def test_disk_full_at_once_and_a_kill(tmp_path):
    """Somebody else takes the whole disk between two looks at it, and then the engine is killed: whatever was acknowledged
    is there, because nothing is that the kernel has not taken."""
    with small_disk(16) as disk, Server(tmp_path, directory=disk, env={"RETWIS_REDIS_DISK_RESERVE": "0"}) as server:
        alice, ballast, acknowledged = Browser(server).sign_up("alice"), Ballast(disk), 0
        for turn in range(4):
            texts = [f"before {turn}"]
            alice.post_quickly(texts[0])
            ballast.fill()
            for i in range(14):
                text = f"{turn}.{i} into a full disk {'x' * (turn * 100)}."
                if try_post(server, alice, text).status == 303:
                    texts.insert(0, text)
            with contextlib.suppress(OSError, ConnectionError, EngineError):
                os.kill(server.engine_pid(), signal.SIGKILL)
            ballast.remove()
            server.wait_healthy(20)
            assert alice.get("/@alice").texts[:len(texts)] == texts
            acknowledged += len(texts) - 1
        assert acknowledged < 4 * 14 and "AOF write error" in server.log()


def test_disk_reserve():
    """Writes end while there is room left, so that nothing ever fails in the middle; 0 switches that off."""
    with small_disk(24) as disk, Server(directory=disk, env={"RETWIS_REDIS_DISK_RESERVE": "8"}) as server:
        alice, ballast = Browser(server).sign_up("alice"), Ballast(disk)
        ballast.leave(7)
        wait_until(lambda: server.health() == 503, 2, "the health page is red")
        assert try_post(server, alice, "no").status == 503
        assert "exit" not in server.log() and "AOF" not in server.log()
        ballast.remove()
        server.wait_healthy(5)
        ballast.leave(7)
        server.restart(RETWIS_REDIS_DISK_RESERVE="0")
        alice.post("with the last bytes")


# --- damaged files -----------------------------------------------------------------------------------------------------


def log_of(server):
    """The newest append-only file."""
    return os.path.join(server.state, "engine", "appendonlydir", "appendonly.aof.1.incr.aof")


def test_torn_end_is_mended_at_start():
    """Zeros behind the last command, as a power cut leaves them: cut off with a line that says so, and kept."""
    with Server() as server:
        alice = Browser(server).sign_up("alice")
        alice.post("before")
        server.stop()
        with open(log_of(server), "ab") as f:
            f.write(bytes(4096))
        server.start()
        assert alice.get("/home").texts == ["before"]
        line = next(line for line in server.log().splitlines() if "the last 4096 bytes" in line)
        assert "all that was written until 20" in line and " warning " in line
        (kept,) = os.listdir(os.path.join(server.state, "engine", "repaired"))
        assert kept.endswith(".cut")


def test_damage_is_mended_by_engine_check():
    """Damage with whole posts behind it: the server does not start and says what to do; after that all other posts are
    there, and so they are in a later start."""
    with Server() as server:
        alice = Browser(server).sign_up("alice")
        for i in range(5):
            alice.post_quickly(f"number {i} of five")
        said = server.cli("engine-check", expect=None)
        assert said.returncode == 1 and "another retwis server" in said.stdout
        server.stop()
        with open(log_of(server), "r+b") as f:
            at = f.read().index(b"number 2 of five")
            f.seek(at - 10)
            f.write(b"?" * 20)
        with pytest.raises(NotStarted) as refused:
            server.start()
        assert "retwis engine-check --fix" in refused.value.text and "damaged at byte" in refused.value.text
        said = server.cli("engine-check", expect=None)
        assert said.returncode == 1 and "whole ones follow" in said.stdout and "nothing was changed" in said.stdout
        assert "all files are whole" in server.cli("engine-check", "--fix")
        assert "all files are whole" in server.cli("engine-check")
        server.start()
        server.cli("check", "--homes", "--repair")
        assert alice.get("/@alice").texts == [f"number {i} of five" for i in (4, 3, 1, 0)]
        server.restart()
        server.cli("check", "--homes")


# --- engines that fail -------------------------------------------------------------------------------------------------


def test_embedded_engine_hangs():
    """SIGSTOP for five seconds: each request ends while it lasts, nobody waits for others, and all is well afterwards."""
    with Server(env={"RETWIS_REDIS_HANG_TIMEOUT": "0"}) as server:  # or it would be ended where five seconds take longer
        alice = Browser(server).sign_up("alice")
        alice.post("before")
        alice.token()
        pid = server.engine_pid()
        os.kill(pid, signal.SIGSTOP)
        statuses, end = set(), time.monotonic() + 5
        try:
            with concurrent.futures.ThreadPoolExecutor(40) as pool:
                while time.monotonic() < end:
                    statuses |= {page.status for page in pool.map(lambda _: look(server, alice, "/home"), range(40))}
        finally:
            os.kill(pid, signal.SIGCONT)
        assert statuses == {503}
        server.wait_healthy(5)
        assert look(server, alice, "/home").texts == ["before"]
        assert server.engine_pid() == pid
        alice.post("after")


def test_hung_engine_is_replaced():
    """One that answers nothing for redis.hang_timeout is killed and started again; nothing is lost."""
    with Server(env={"RETWIS_REDIS_HANG_TIMEOUT": "5"}) as server:
        alice = Browser(server).sign_up("alice")
        alice.post("before")
        pid = server.engine_pid()
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: server.health() == 503, 10, "it hangs")
        server.wait_healthy(20)
        assert server.engine_pid() != pid and "redis.hang_timeout" in server.log()
        assert alice.get("/home").texts == ["before"]
        alice.post("after")


def test_engine_dies_again_and_again():
    """Whatever ends it, it comes back, a little later each time; the server stays, and so do the data."""
    with Server() as server:
        alice = Browser(server).sign_up("alice")
        alice.post("before")
        for _ in range(4):
            pid = server.engine_pid()
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: server.health() == 200 and server.engine_pid() != pid, 10, "it is back")
        assert alice.get("/home").texts == ["before"]
        assert server.process.poll() is None


def test_stop_while_the_engine_hangs():
    """SIGTERM ends the server in time also when requests and the engine hang."""
    with Server() as server:
        alice = Browser(server).sign_up("alice")
        alice.token()
        os.kill(server.engine_pid(), signal.SIGSTOP)
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            visits = [pool.submit(look, server, alice, "/home") for _ in range(20)]
            time.sleep(0.2)
            begin = time.monotonic()
            server.stop()
            assert time.monotonic() - begin < patience(STOP_SECONDS)
            for visit in visits:
                with contextlib.suppress(requests.RequestException):
                    assert visit.result().status == 503
        server.start()
        Browser(server).sign_in("alice")


# --- signals -----------------------------------------------------------------------------------------------------------


def test_storm_of_reloads(tmp_path):
    """SIGHUP by the hundred while people read and write: nobody notices, and a broken file changes nothing."""
    ini = tmp_path / "retwis.ini"
    ini.write_text("[log]\nlevel = info\n")
    with Server(tmp_path, arguments=["-c", str(ini)]) as server:
        alice = Browser(server).sign_up("alice")
        for i in range(300):
            if i % 50 == 0:
                ini.write_text("[log]\nlevel = nonsense\n" if i % 100 else "[log]\nlevel = info\n")
            server.process.send_signal(signal.SIGHUP)
            if i % 20 == 0:
                alice.post_quickly(f"{i}")
        assert len(alice.get("/@alice").texts) == 15
        server.stop()


# --- who owns the files ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not IS_ROOT, reason="only root can become somebody else")
def test_server_started_by_root_leaves_no_files_of_root():
    """`sudo retwis serve` on the service's directory: it goes on as the owner, or the service could not start again."""
    with Server(start=False) as server:
        os.chmod(server.directory, 0o755)
        os.chown(server.state, 65534, 65534)
        server.start()
        alice = Browser(server).sign_up("alice")
        os.kill(server.engine_pid(), signal.SIGKILL)
        server.wait_healthy(10)
        alice.post("mine")
        owners = {os.lstat(os.path.join(d, f)).st_uid for d, _, files in os.walk(server.state) for f in files}
        assert owners == {65534}
        for pid in (server.process.pid, server.engine_pid()):
            with open(f"/proc/{pid}/status", encoding="ascii") as f:
                assert "Uid:\t65534\t65534\t65534\t65534" in f.read()
        server.stop()


@pytest.mark.skipif(not IS_ROOT, reason="only root can become somebody else")
def test_read_only_state(tmp_path):
    """A directory that cannot be written: said in one line, with its name, and nothing is started."""
    with small_disk(4) as disk:
        os.mkdir(os.path.join(disk, "state"))
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        server = Server.__new__(Server)
        with pytest.raises(NotStarted) as refused:
            server.__init__(tmp_path, directory=disk)
        assert refused.value.status == 1
        assert "Read-only file system" in refused.value.text and "/state" in refused.value.text
