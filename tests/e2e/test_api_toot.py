"""toot, as Debian ships it, against the server: every command that does not need a terminal, a file or a browser.

The log-in is a process of its own; the other commands run in this one, through toot's own entry, since each start of Python would
cost more than all that it asks.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
from unittest import mock

import pytest
import toot.config
import toot.console

from api_client import Api, ids
from api_contract import needs
from retwis_browser import PASSWORD, Browser
from retwis_process import limit, wait_until

pytestmark = needs("POST /api/v1/apps", "GET /api/v1/accounts/verify_credentials", "POST /api/v1/accounts/:x/follow")


class Toot:
    """One who uses toot; where toot keeps its tokens is his alone."""

    def __init__(self, server, name, home):
        self.name, self.home = name, str(home)
        self.instance = server.url.removeprefix("http://")
        self.api = Api.of(server, name)

    def log_in(self, password=PASSWORD):
        """`toot login_cli` as a process; what it printed, and how it ended."""
        env = {**os.environ, "XDG_CONFIG_HOME": self.home, "NO_COLOR": "1", "no_proxy": "*"}
        done = subprocess.run(["/usr/bin/toot", "login_cli", "--disable-https", "-i", self.instance, "-e", self.name], input=password,
                              env=env, capture_output=True, text=True, timeout=limit(60), check=False)
        return done.stdout + done.stderr

    def __call__(self, *words, fails=False, asked=None):
        """A command; all that it prints. toot ends with status 1 on errors. asked: what it asks is answered with this, in a terminal."""
        out, ended = io.StringIO(), False
        out.isatty = lambda: asked is not None
        file = os.path.join(self.home, "toot", "config.json")
        with mock.patch.object(toot.config, "CONFIG_FILE", file), mock.patch.object(sys, "argv", ["toot", *words, "--no-color"]), \
                mock.patch.object(sys, "stdin", io.StringIO("")), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), \
                mock.patch("builtins.input", lambda *_: asked):
            try:
                toot.console.main()
            except SystemExit as end:
                ended = bool(end.code)
        assert ended == fails, (words, out.getvalue())
        return out.getvalue()

    def post(self, text, *options):
        """A post; its id, of the address that toot prints."""
        return re.search(r"Toot posted: (\S+)/@\w+/(\d+)", self("post", text, *options))[2]


@pytest.fixture(scope="module")
def two(push_server, tmp_path_factory):
    """Two people with toot, logged in."""
    made = []
    for stem in ("tootalice", "tootbob"):
        name = f"{stem}_{os.getpid()}"
        Browser(push_server).sign_up(name)
        one = Toot(push_server, name, tmp_path_factory.mktemp(stem))
        assert "Successfully logged in" in one.log_in()
        made.append(one)
    return made


def shows(who, words, text):
    """Waits until the output of a command has the text: homes and notices come a moment after the answer."""
    return wait_until(lambda: text in (said := who(*words)) and said, 10, f"{words} shows {text}")


def test_log_in(server, two, tmp_path):
    """A wrong password is told as one; the token is in toot's file; whoami and instance read what the server says."""
    alice = two[0]
    wrong = Toot(server, alice.name, tmp_path)
    assert "Login failed" in wrong.log_in("wrong password")
    assert f"@{alice.name}" in alice("whoami")
    assert f"* {alice.name}@{alice.instance}" in alice("auth")
    said = alice("instance", "--disable-https", alice.instance)
    assert alice.instance in said and re.search(r"running Mastodon \d+\.\d+\.\d+ \(compatible; Retwis ", said), said
    assert alice("logout", f"{alice.name}@{alice.instance}", fails=False)
    assert "Successfully logged in" in alice.log_in()


def test_posts(two):
    """Post, answer, edit by nobody, favourite, boost, bookmark, pin, and all of it taken back; thread, timelines, delete."""
    alice, bob = two
    alice("follow", bob.name)
    first = bob.post("Tea with *toot* & friends #tooting", "-v", "public")
    secret = bob.post("for followers", "-v", "private", "-p", "careful")
    answer = alice.post(f"@{bob.name} with milk", "-r", first)
    shows(alice, ("timeline", "-1"), "Tea with *toot* & friends #tooting")
    assert f"@{bob.name}" in alice("timeline", "-1") and secret in alice("timeline", "-1")
    assert "for followers" not in alice("timeline", "-1", "--public")
    assert first in alice("timeline", "-1", "-p", "-l") and first in alice("timeline", "-1", "--tag", "tooting")
    thread = alice("thread", answer)
    assert thread.index("Tea with") < thread.index("with milk") and f"In reply to {first}" in thread
    for verb, field in (("favourite", "favourited"), ("reblog", "reblogged"), ("bookmark", "bookmarked")):
        assert "✓" in alice(verb, first) and alice.api.get(f"/api/v1/statuses/{first}")[field], verb
        assert "✓" in alice(verb, first), f"{verb} twice"
        if verb == "reblog":
            assert f"@{alice.name}" in bob("reblogged_by", first)
        if verb == "bookmark":
            assert first in alice("bookmarks", "-1")
        assert "✓" in alice(f"un{verb}", first) and not alice.api.get(f"/api/v1/statuses/{first}")[field], verb
    assert "✓" in bob("pin", first)
    assert ids(alice.api.get(f"/api/v1/accounts/{bob.api.id}/statuses", pinned=True)) == [first]
    assert "✓" in bob("unpin", first)
    assert "✓" in bob("delete", first)
    assert "Record not found" in alice("favourite", first, fails=True)
    assert "Record not found" in bob("delete", answer, fails=True), "somebody else's"
    assert "Validation failed" in alice("post", " ", fails=True)


def test_paging(two):
    """toot goes from page to page by Link until there is none, and asks whether to go on in between."""
    alice, bob = two
    for n in range(7):
        bob.post(f"page {n} #paging")
    said = bob("timeline", "--tag", "paging", "-c", "3", asked="y")
    assert re.findall(r"page (\d)", said) == list("6543210") and "That's all folks." in said
    alice("follow", bob.name)
    assert f"@{bob.name}" in alice("following", alice.name) and f"@{alice.name}" in alice("followers", bob.name)


def test_people(two):
    """Find, follow, mute, block, and each taken back; search; tags followed; notifications, and clearing them."""
    alice, bob = two
    for name in (bob.name, f"@{bob.name}", bob.name.upper(), f"{bob.name}@{bob.instance}"):
        assert f"@{bob.name}" in alice("whois", name), name
    assert "Account not found" in alice("whois", "nobody_of_that_name", fails=True)
    relation = f"/api/v1/accounts/relationships?id={bob.api.id}"
    for verb, undo, field in (("follow", "unfollow", "following"), ("mute", "unmute", "muting"), ("block", "unblock", "blocking")):
        assert "✓" in alice(verb, bob.name) and alice.api.get(relation)[0][field], verb
        assert "✓" in alice(undo, bob.name) and not alice.api.get(relation)[0][field], undo
    alice.post(f"@{bob.name} look #tootsearch")
    assert f"@{bob.name}" in alice("search", bob.name)
    shows(alice, ("search", "#tootsearch"), "#tootsearch")
    alice("tags_follow", "tootsearch")
    assert "#tootsearch" in alice("tags_followed")
    alice("tags_unfollow", "tootsearch")
    assert "#tootsearch" not in alice("tags_followed")
    alice("follow", bob.name)
    shows(bob, ("notifications",), "now follows you")
    shows(bob, ("notifications", "--mentions"), "mentioned you")
    assert "Cleared" in bob("notifications", "--clear") and "No notification" in bob("notifications")
