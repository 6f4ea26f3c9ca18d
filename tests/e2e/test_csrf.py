"""No other site can make a visitor's browser do anything here, and nothing changes by a link."""

import pytest

from retwis_server import PASSWORD, Browser

FORMS = ["/posts", "/follow", "/unfollow", "/@{name}/follow", "/@{name}/unfollow", "/auth/sign_out", "/settings/profile",
         "/settings/password", "/settings/sessions/revoke_others", "/locale", "/auth/sign_in", "/auth/sign_up",
         "/posts/123/delete"]


@pytest.fixture(scope="module")
def pair(push_server):
    """Two members: the tests only do what is refused."""
    return [Browser(push_server).sign_up(name) for name in ("csrf_victim", "csrf_other")]


def fields(victim):
    """All that the forms together could want."""
    return {"status": "forged", "names": "csrf_other", "display_name": "forged", "bio": "", "locale": "zh-CN",
            "current_password": PASSWORD, "password": "forged password 1", "password2": "forged password 1",
            "username": "csrf_other", "next": "/"}


def assert_untouched(victim):
    """Nothing came of it."""
    page = victim.get("/home")
    assert page.ids == [] and page.counts["following"] == 0 and page.one("html")["lang"] == "en"
    assert victim.get("/settings/profile").form("/settings/profile").values["display_name"] == ""


@pytest.mark.parametrize("form", FORMS)
def test_token_is_needed(pair, form):
    """Missing, empty, made up, somebody else's, a stranger's: all refused with 403."""
    victim, other = pair
    path = form.format(name=other.name)
    stranger = Browser(victim.server)
    for token in (None, "", "x", "A" * 43, other.token(), stranger.token()):
        data = fields(victim) if token is None else {**fields(victim), "csrf_token": token}
        page = victim.post_form(path, data, follow=False)
        assert page.status == 403, (path, token)
        assert page.one(".error-page")["data-code"] == "403"
    assert_untouched(victim)


@pytest.mark.parametrize("headers", [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "SELF"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "SELF.evil.example"},
    {"Origin": "http://evil.example/SELF"},
])
def test_origin_is_checked(pair, headers):
    """Even with the right token (it may have leaked), a form of another site is refused."""
    victim, other = pair
    headers = {k: v.replace("SELF", victim.server.url) for k, v in headers.items()}
    for form in FORMS:
        data = {**fields(victim), "csrf_token": victim.token()}
        page = victim.post_form(form.format(name=other.name), data, follow=False, headers=headers)
        assert page.status == 403, (form, headers)
    assert_untouched(victim)


@pytest.mark.parametrize("headers", [
    {"Sec-Fetch-Site": "same-origin", "Origin": "SELF"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "SELF"},
    {},
])
def test_own_forms_pass(server, people, headers):
    """What browsers, old and new, send with a form of this site."""
    member = people(server, "honest")
    headers = {k: v.replace("SELF", server.url) for k, v in headers.items()}
    page = member.submit(member.get("/home").form("#compose"), status="honest", headers=headers)
    assert page.status == 200 and page.texts == ["honest"]


def test_token_dies_with_the_session(server, people):
    """After signing out and in again the old token is worth nothing."""
    member = people(server, "mortal")
    old = member.token()
    member.sign_out()
    member.sign_in(member.name)
    page = member.post_form("/posts", {"status": "x", "csrf_token": old})
    assert page.status == 403


def test_sign_in_form_is_guarded_too(server, people):
    """Nobody can sign a victim's browser in to an account of his own."""
    attacker = people(server, "attacker")
    token = Browser(server).token()
    victim = Browser(server)
    page = victim.post_form("/auth/sign_in", {"username": attacker.name, "password": PASSWORD, "csrf_token": token})
    assert page.status == 403 and victim.cookie is None


def test_nothing_changes_by_get(pair):
    """No form is a link; the query string is no form."""
    victim, other = pair
    token = victim.token()
    for form in FORMS:
        path = form.format(name=other.name)
        page = victim.get(path, params={**fields(victim), "csrf_token": token}, expect=None, follow=False)
        assert page.status in (200, 404, 405), path
    assert_untouched(victim)
    page = victim.request("POST", "/posts", params={"csrf_token": token, "status": "in the query"}, follow=False)
    assert page.status == 403
    assert_untouched(victim)
    assert victim.is_signed_in()


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/xml", None])
def test_other_kinds_of_body(pair, kind):
    """Bodies that a foreign page can send without asking are not read as forms."""
    victim, _ = pair
    body = f"csrf_token={victim.token()}&status=forged"
    headers = {"Content-Type": kind} if kind else {}
    page = victim.request("POST", "/posts", data=body.encode(), headers=headers, follow=False)
    assert page.status in (403, 415)
    assert_untouched(victim)
