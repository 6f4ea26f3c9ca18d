"""Where the libraries and schemas of npm are that tests use: `tests/clients/fetch`, a step of `make test`, gets and checks them.

    path("masto", "package.json")
"""

import functools
import os
import subprocess

from retwis_server import REPOSITORY

CLIENTS = os.path.join(REPOSITORY, "tests", "clients")


@functools.lru_cache(maxsize=None)
def libraries():
    """The directory that holds node_modules."""
    found = subprocess.run([os.path.join(CLIENTS, "fetch"), "--print-dir"], capture_output=True, text=True, check=True).stdout.strip()
    assert os.path.isdir(found), "the JavaScript libraries are not there: run tests/clients/fetch"
    return found


def path(*parts):
    """A file of a package."""
    return os.path.join(libraries(), "node_modules", *parts)
