"""`retwis tail`: what is posted for all, as it happens, and of that what the filters want."""

import os
import pty
import select
import signal
import subprocess

import pytest

from retwis_process import limit, spawn, wait_until
from retwis_server import Browser, Server


@pytest.fixture(scope="module", name="server")
def _server():
    with Server() as server:
        yield server


@pytest.fixture(scope="module", name="ann")
def _ann(server):
    return Browser(server).sign_up("ann")


class Tail:
    """One that runs; its lines so far."""

    def __init__(self, server, *options, stdout=None, env=None):
        self._path = os.path.join(server.directory, f"tail-{os.urandom(4).hex()}")
        with open(self._path, "wb") as out, open(self._path + ".err", "wb") as err:
            self.process = spawn(server.command + ["tail", *options], env={**server.env, **(env or {})}, stderr=err,
                                 stdout=out if stdout is None else stdout)
        wait_until(lambda: "listening" in self._read(".err") or self.process.poll() is not None, 10, "it listens")
        assert self.process.poll() is None, self._read(".err")

    def _read(self, end=""):
        with open(self._path + end, encoding="utf-8") as f:
            return f.read()

    def lines(self):
        return self._read().splitlines()

    def wait(self, text):
        """The lines up to the one with the text."""
        wait_until(lambda: any(text in line for line in self.lines()), 10, f"{text} is printed")
        return self.lines()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(limit(10)) == 0


def test_what_is_posted(server, ann):
    """All that is public, in order, with what becomes of it; nothing else."""
    tail = Tail(server)
    words, near, people, some = (Tail(server, *options) for options in (
        ("--track", "redis lua,#Tag"), ("--locations", "2,48,3,49"), ("--follow", "@ben"), ("--sample", "100")))
    first = ann.post("first, of two\nlines")
    ann.post("Lua, but without the other")
    ann.post("REDIS! and lua.")
    ann.post("a #tag for @ben", visibility="unlisted")
    ann.post("for nobody", visibility="private")
    ann.post("a #tag for @ben")
    last = ann.post("last", lat="48.5", long="2.5")
    lines = tail.wait("last")
    assert [line.split("  ")[3] if "@ann" in line else line for line in lines] == [
        "first, of two", "    lines", "Lua, but without the other", "REDIS! and lua.", "a #tag for @ben", "last"]
    assert lines[0].startswith(f"{first}  20") and "\033" not in "".join(lines)
    assert [line.split("  ")[3] for line in words.wait("#tag")] == ["REDIS! and lua.", "a #tag for @ben"]
    assert [line.split("  ")[3] for line in near.wait("last")] == ["last"]
    assert [line.split("  ")[3] for line in people.wait("#tag")] == ["a #tag for @ben"]
    assert some.wait("last") == lines
    ann.delete(last)
    assert near.wait("deleted")[-1] == f"{last}  deleted"
    tail.wait("deleted")
    ann.post("at the end, redis and lua")
    words.wait("at the end")
    assert not any("deleted" in line for line in words.lines())
    for each in (tail, words, near, people, some):
        each.end()


def test_colours(server, ann):
    """On a terminal, unless somebody wants none."""
    for env, expected in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
        ours, theirs = pty.openpty()
        tail = Tail(server, stdout=theirs, env=env)
        os.close(theirs)
        ann.post("in colours")
        seen = b""
        while b"in colours" not in seen:
            assert select.select([ours], [], [], limit(10))[0], seen
            seen += os.read(ours, 4096)
        assert (b"\033[" in seen) is expected
        tail.end()
        os.close(ours)


def test_refusals(server):
    """What is wrong is said in words, before anything is opened."""
    for options, words in ((("--track", "!?"), "track: Each phrase"), (("--follow", "a b"), "follow: Give ids"),
                           (("--locations", "1,2,3"), "locations: Give four"), (("--sample", "0"), "percent: Give a whole"),
                           (("--sample", "5", "--track", "a"), "either a filter or a sample")):
        done = subprocess.run(server.command + ["tail", *options], env=server.env, capture_output=True, text=True,
                              timeout=limit(30), check=False)
        assert done.returncode == 2 and words in done.stderr and not done.stdout, done


def test_without_a_server(server):
    """It does not start the engine for itself, which would keep it from a server."""
    with Server(start=False) as other:
        done = subprocess.run(other.command + ["tail"], env=other.env, capture_output=True, text=True, timeout=limit(30), check=False)
        assert done.returncode == 1 and "no server runs here" in done.stderr
