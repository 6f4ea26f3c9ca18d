"""Browsers and servers that tests share: one of each for a pytest process, so that processes can run side by side."""

import itertools
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "e2e"))

from chrome import Chrome  # noqa: E402
from retwis_server import RETWIS, Browser, Server  # noqa: E402
from town import Town  # noqa: E402

_numbers = itertools.count(1)


def pytest_configure(config):
    """One clear line instead of a failure in each test."""
    if not os.access(RETWIS, os.X_OK):
        raise pytest.UsageError(f"{RETWIS} is not there: run 'make' first, or name the program by RETWIS=")


@pytest.fixture(scope="session")
def server():
    """A server whose people are made by the tests as they need them."""
    with Server(mode="push") as running:
        yield running


@pytest.fixture(scope="session")
def town():
    """A server with people who have been here for a while; tests do not change it."""
    with Server(mode="push") as running:
        yield Town(running)


@pytest.fixture(scope="session")
def _scripting():
    chrome = Chrome()
    yield chrome
    chrome.close()


@pytest.fixture(scope="session")
def _plain():
    chrome = Chrome(javascript=False)
    yield chrome
    chrome.close()


@pytest.fixture
def chrome(_scripting, server):
    """A new visitor of the server."""
    return _scripting.visit(server)


@pytest.fixture
def plain(_plain, server):
    """A new visitor who has switched JavaScript off."""
    return _plain.visit(server)


@pytest.fixture
def tourist(_scripting, town):
    """A new visitor of the town."""
    return _scripting.visit(town.server)


@pytest.fixture
def unique():
    """Makes names that no other test uses: unique("bob") is like bob_3."""
    return lambda stem="u": f"{stem}_{next(_numbers)}"


@pytest.fixture
def people(server, unique):
    """people("alice", "bob"): visitors of the end-to-end tests, freshly signed up."""
    def make(*stems):
        made = [Browser(server).sign_up(unique(stem)) for stem in stems]
        return made[0] if len(made) == 1 else made

    return make
