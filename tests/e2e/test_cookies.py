"""Cookies that are worth nothing: whoever sends one gets what somebody without a cookie gets, on every page."""

import pytest

from retwis_server import Browser


def with_cookie(server, value):
    """A visitor with this session cookie."""
    browser = Browser(server)
    browser.session.headers["Cookie"] = f"retwis={value}"
    return browser


@pytest.fixture
def dead(server, people):
    """Browsers whose session is none: an id that never was, a wrong secret, a session that was ended, a deleted user's."""
    member, revoked, gone = people(server, "holder", "revoked", "gone")
    old = revoked.cookie
    revoked.sign_out()
    server.cli("user", "delete", gone.name, "--yes", expect=None)
    secret = "A" * 43
    values = [f"117657670766635999.{secret}", f"{member.cookie[:18]}.{secret}", old, gone.cookie]
    return [with_cookie(server, value) for value in values]


def test_pages_that_look_at_the_visitor(server, people, dead):
    """The pages that ask whom the visitor follows, before they know whether his session is one."""
    star = people(server, "star")
    star.post("a post of the star")
    pid = server.process.pid
    for browser in dead:
        for path in (f"/@{star.name}", "/public", f"/@{star.name}/followers", f"/@{star.name}/following"):
            assert not browser.get(path).all("form.sign-out")
    assert server.process.poll() is None and server.process.pid == pid


def test_error_pages_believe_nobody(server, people, unique):
    """An id without its secret is nobody's, on pages too that answer without asking the engine: whether somebody is
    administrator is not to be seen there."""
    admin = people(server, "boss")
    server.cli("user", "promote", admin.name)
    admin.get("/home")  # in the cache
    stranger = with_cookie(server, f"{admin.cookie[:18]}." + "A" * 43)
    for page in (stranger.action("/auth/sign_in", username=unique("no"), password="wrong password"),
                 stranger.action("/auth/sign_up", username="", password="x"),
                 stranger.get("/nowhere", expect=404)):
        assert admin.name not in page.response.text, page.summary
