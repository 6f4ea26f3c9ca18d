"""Servers that tests share: one for each kind and pytest process. Tests make their own names, so they can run side by side."""

import contextlib
import itertools
import os

import pytest

from retwis_server import RETWIS, Browser, Server

_numbers = itertools.count(1)


def pytest_configure(config):
    """One clear line instead of a failure in each test."""
    if not os.access(RETWIS, os.X_OK):
        raise pytest.UsageError(f"{RETWIS} is not there: run 'make' first, or name the program by RETWIS=")


@pytest.fixture(scope="session")
def push_server():
    """The server that most tests use."""
    with Server(mode="push") as server:
        yield server


@pytest.fixture
def server(push_server):
    """The server that most tests use."""
    return push_server


# The three modes of the embedded engine, and Debian's redis-server.
KINDS = ["push", "pull", "hybrid", "redis"]
SMALL = {"RETWIS_TIMELINE_PAGE": "5", "RETWIS_TIMELINE_SIZE": "12", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "3"}


def _start(kind, env):
    """In hybrid mode whoever has two followers is a celebrity, so that a test has both sorts."""
    mode, engine = ("push", "redis") if kind == "redis" else (kind, "embedded")
    return Server(mode=mode, engine=engine, env={"RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "1", **env})


@pytest.fixture(scope="session")
def _servers(push_server):
    """get(kind, small): the server of that kind, started when it is first asked for."""
    running = {("push", False): push_server}
    with contextlib.ExitStack() as stack:
        def get(kind, small):
            if (kind, small) not in running:
                running[kind, small] = stack.enter_context(_start(kind, SMALL if small else {}))
            return running[kind, small]

        yield get


@pytest.fixture(params=KINDS)
def any_server(request, _servers):
    """The test runs once per timeline mode, and once with Debian's redis-server."""
    return _servers(request.param, False)


@pytest.fixture(params=KINDS)
def small_server(request, _servers):
    """Likewise, with pages of 5, homes of 12, and 3 posts of an author asked for at a time: few posts reach every edge."""
    return _servers(request.param, True)


@pytest.fixture
def unique():
    """Makes names that no other test uses: unique("bob") is like bob_3."""
    def make(stem="u"):
        return f"{stem}_{next(_numbers)}"

    return make


@pytest.fixture
def people(unique):
    """people(server, "alice", "bob"): browsers of fresh users with such names."""
    def make(server, *stems):
        made = [Browser(server).sign_up(unique(stem)) for stem in stems]
        return made[0] if len(made) == 1 else made

    return make
