"""The thinnest complete path: sign up, post, read. When this fails, look here first."""

import os
import subprocess
import sys

from retwis_server import REPOSITORY, Browser


def test_sign_up_post_read(any_server, unique):
    """The whole way of a newcomer."""
    name = unique("smoke")
    browser = Browser(any_server).sign_up(name)
    post = browser.post("Hello, world")
    assert browser.get("/home").texts == ["Hello, world"]
    assert post in browser.get(f"/@{name}").ids
    assert post in Browser(any_server).get("/public").ids


def test_ceiling_of_the_benchmarks_is_there():
    """`make bench` needs civetweb without our handlers: whatever its library asks of the project, that program has too."""
    bench = os.path.join(REPOSITORY, "tests", "bench")
    done = subprocess.run([sys.executable, "-c", "import tools; print(tools.Bare.build())"], cwd=bench, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
