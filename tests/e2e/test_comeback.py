"""A server that dies again and again waits longer before each start, so that the service manager is not kept busy."""

import os
import re
import subprocess

import pytest

import retwis_process
from retwis_server import Server, wait_until


@pytest.fixture
def watched():
    """A server that believes that systemd starts it; not started yet."""
    with Server(start=False) as server:
        server.env["NOTIFY_SOCKET"] = os.path.join(server.directory, "nobody-listens")
        yield server


def starts_file(server):
    """Where it keeps count."""
    return os.path.join(server.state, "starts")


def waits(server):
    """The seconds that it said it waited, each time it did."""
    return [int(n) for n in re.findall(r"did not end in order: waiting (\d+) s", server.log())]


def test_waits_longer_each_time(watched):
    """Two deaths are forgiven, as of a kill -9; then each start is later than the one before, until a run ends in order."""
    for _ in range(4):
        watched.start()
        watched.kill9()
    assert waits(watched) == [1]
    watched.start()
    assert waits(watched) == [1, 2]
    watched.stop()
    assert not os.path.exists(starts_file(watched))
    watched.start()
    watched.kill9()
    watched.start()
    assert waits(watched) == [1, 2]


def test_stop_while_waiting(watched):
    """Whoever says stop is not told to wait."""
    watched.start()
    watched.kill9()
    with open(starts_file(watched), "r+", encoding="ascii") as f:
        started = f.read().split()[1]
        f.seek(0)
        f.write(f"50 {started}\n")
    with open(watched.log_path, "ab") as log:
        watched.process = retwis_process.spawn(watched.command + ["serve"], env=watched.env, stdout=subprocess.DEVNULL,
                                               stderr=log)
    wait_until(lambda: waits(watched) == [10], 10, "it says that it waits")
    watched.stop()


def test_a_person_never_waits():
    """Started by hand it does not keep count."""
    with Server() as server:
        for _ in range(4):
            server.kill9()
            server.start()
        assert waits(server) == [] and not os.path.exists(starts_file(server))
