"""Servers that tests share: one for each mode and pytest process. Tests make their own names, so they can run side by side."""

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


@pytest.fixture(scope="session")
def pull_server():
    """Likewise in pull mode."""
    with Server(mode="pull") as server:
        yield server


@pytest.fixture
def server(push_server):
    """The server that most tests use."""
    return push_server


@pytest.fixture(params=["push", "pull"])
def any_server(request):
    """The test runs once per timeline mode."""
    return request.getfixturevalue(request.param + "_server")


SMALL = {"RETWIS_TIMELINE_PAGE": "5", "RETWIS_TIMELINE_SIZE": "12", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "3"}


@pytest.fixture(scope="session")
def small_push_server():
    """Pages of 5, homes of 12: few posts are enough to reach every edge."""
    with Server(mode="push", env=SMALL) as server:
        yield server


@pytest.fixture(scope="session")
def small_pull_server():
    """Likewise in pull mode, asking each author for 3 posts at a time."""
    with Server(mode="pull", env=SMALL) as server:
        yield server


@pytest.fixture(params=["push", "pull"])
def small_server(request):
    """The test runs once per timeline mode, with small pages and small homes."""
    return request.getfixturevalue(f"small_{request.param}_server")


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
