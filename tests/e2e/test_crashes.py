"""kill -9 of the server and of the engine while people write: whatever was acknowledged is there afterwards, once.

Writers go on through every crash, as people do: they send the same form again until it is acknowledged. So at the end
each text of each writer must be there exactly once, in order, on his profile and in his follower's home.
"""

import os
import signal
import threading
import time
import uuid

import pytest
import requests

from retwis_server import Browser, Server, patience, wait_until

WRITERS = 3
KILLS = 5  # in each of the runs below; 20 of the server and 20 of the engine altogether


class Writer(threading.Thread):
    """Posts texts that count up, each until it is acknowledged."""

    def __init__(self, browser):
        super().__init__(daemon=True)
        self.browser = browser
        self.browser.token()
        self.acknowledged = 0
        self.refused = 0
        self.wrong = []
        self.leave = threading.Event()

    def run(self):
        while not self.leave.is_set():
            text, key = f"{self.acknowledged} by {self.browser.name}", str(uuid.uuid4())
            while not self.sent(text, key):
                self.refused += 1
                time.sleep(0.01)
            self.acknowledged += 1

    def sent(self, text, key):
        """True when the server says that the post is written."""
        try:
            page = self.browser.action("/posts", follow=False, status=text, idempotency_key=key, next="/home",
                                       timeout=patience(10))
        except requests.RequestException:
            return False
        if page.status not in (303, 503):
            self.wrong.append(page.summary)
        return page.status == 303


def start_writers(server):
    """Some people who write, and one who follows them all."""
    reader = Browser(server).sign_up("reader")
    writers = [Writer(Browser(server).sign_up(f"writer{i}")) for i in range(WRITERS)]
    reader.follow_many(",".join(w.browser.name for w in writers))
    reader.get("/home")
    for writer in writers:
        writer.start()
    return reader, writers


def wait_for_progress(writers, more=5):
    """Until each of them has written some more."""
    goals = [w.acknowledged + more for w in writers]
    wait_until(lambda: all(w.acknowledged >= goal for w, goal in zip(writers, goals)), 30, "posts go on")


def stop_writers(writers):
    """Each ends with an acknowledged post."""
    for writer in writers:
        writer.leave.set()
    for writer in writers:
        writer.join(30)
        assert not writer.is_alive() and not writer.wrong, writer.wrong[:3]


def by_author(statuses):
    """Texts of each author, newest first."""
    texts = {}
    for status in statuses:
        texts.setdefault(status.author, []).append(status.text)
    return texts


def assert_all_there(reader, writers):
    """Every acknowledged text once and in order: on the profiles at once, and when the deliveries that the crashes
    interrupted have been taken up again (their lease ends after some seconds) at home and in public too."""
    expected = {}
    for writer in writers:
        name = writer.browser.name
        expected[name] = [f"{i} by {name}" for i in reversed(range(writer.acknowledged))]
        assert [s.text for s in reader.timeline(f"/@{name}")] == expected[name]
        assert reader.get(f"/@{name}").counts["statuses"] == len(expected[name])
    for path in ("/home", "/public"):
        wait_until(lambda p=path: by_author(reader.timeline(p)) == expected, 20, f"{path} has every post once")


@pytest.mark.parametrize("run", range(4))
def test_server_is_killed(run):
    """kill -9 of the server; the engine goes with it and does not block the next start."""
    with Server(mode=("push", "pull")[run % 2]) as server:
        reader, writers = start_writers(server)
        for _ in range(KILLS):
            wait_for_progress(writers)
            engine = server.engine_pid()
            server.kill9()
            server.start()
            assert server.engine_pid() != engine
        wait_for_progress(writers)
        stop_writers(writers)
        assert_all_there(reader, writers)
        print(f"{[w.acknowledged for w in writers]} acknowledged, {sum(w.refused for w in writers)} tried again")


@pytest.mark.parametrize("run", range(4))
def test_engine_is_killed(run):
    """kill -9 of the engine; the server starts it again and recovers by itself."""
    with Server(mode=("push", "pull")[run % 2]) as server:
        reader, writers = start_writers(server)
        for _ in range(KILLS):
            wait_for_progress(writers)
            os.kill(server.engine_pid(), signal.SIGKILL)
            wait_until(lambda: server.health() == 200 and not is_gone(server), 20, "the engine is back")
        wait_for_progress(writers)
        stop_writers(writers)
        assert_all_there(reader, writers)
        assert server.process.poll() is None
        print(f"{[w.acknowledged for w in writers]} acknowledged, {sum(w.refused for w in writers)} tried again")


def is_gone(server):
    """True while nobody answers on the engine's socket."""
    try:
        return server.engine_pid() == 0
    except OSError:
        return True


def test_stop_while_people_write():
    """SIGTERM under load: exit status 0, and what was acknowledged is there after the next start."""
    with Server() as server:
        reader, writers = start_writers(server)
        for _ in range(3):
            wait_for_progress(writers)
            server.stop()
            server.start()
        wait_for_progress(writers)
        stop_writers(writers)
        assert_all_there(reader, writers)
