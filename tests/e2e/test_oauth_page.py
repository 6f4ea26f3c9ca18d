"""Where somebody lets an app in: the question, the answers, what is asked wrongly, and the apps in the settings."""

import base64
import hashlib
import urllib.parse

import pytest
import requests

from api_client import Api, make_app
from retwis_server import PASSWORD, Browser

OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
WEB = "https://app.example/back?x=1"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


@pytest.fixture
def app(server, unique):
    """Of the web, a phone, and no address at all: all in one."""
    answer = requests.post(server.url + "/api/v1/apps", timeout=30, data={
        "client_name": "An <app>", "redirect_uris": "\n".join((WEB, "phone-app://back", OUT_OF_BAND)),
        "scopes": "read write:lists write:filters", "website": "https://app.example"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def address(app, **fields):
    """Of the question."""
    asked = {"response_type": "code", "client_id": app["client_id"], "redirect_uri": WEB, "scope": "read write:lists", **fields}
    return "/oauth/authorize?" + urllib.parse.urlencode({k: v for k, v in asked.items() if v is not None})


def answer(browser, page, decision):
    """Presses a button of the question; the answer, not followed."""
    form = page.form("form.oauth-answer")
    return browser.submit(form, {"decision": decision}, follow=False)


def parameters(location):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))


def exchange(server, app, code, redirect=WEB, **more):
    """What the app gets for a code."""
    return requests.post(server.url + "/oauth/token", timeout=30, data={
        "grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "client_id": app["client_id"],
        "client_secret": app["client_secret"], **more})


def test_let_in(server, people, app):
    """The whole way of an app of the web: question, yes, code, token, and the end in the settings."""
    ann = people(server, "ann")
    page = ann.get(address(app, state="a b&c=ü", code_challenge=CHALLENGE, code_challenge_method="S256"))
    assert "An &lt;app&gt;" in page.text and "@" + ann.name in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "form-action" not in policy and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert page.headers["X-Frame-Options"] == "DENY" and page.headers["Cache-Control"] == "no-store"
    assert "form-action 'self'" in ann.get("/home").headers["Content-Security-Policy"]
    said = answer(ann, page, "allow")
    assert said.status == 303 and said.headers["Location"].startswith(WEB + "&code=")
    back = parameters(said.headers["Location"])
    assert back["state"] == "a b&c=ü" and back["x"] == "1"
    assert exchange(server, app, back["code"]).status_code == 400, "without the verifier"
    said = answer(ann, page, "allow")
    code = parameters(said.headers["Location"])["code"]
    token = exchange(server, app, code, code_verifier=VERIFIER)
    assert token.status_code == 200, token.text
    assert token.json()["scope"] == "read write:lists" and token.json()["token_type"] == "Bearer"
    assert token.headers["Cache-Control"] == "no-store"
    api = Api(server, token.json()["access_token"])
    assert api.get("/api/v1/timelines/home") == []
    assert api.ask("POST", "/api/v1/statuses", json={"status": "x"}).status == 403, "too small a scope"
    settings = ann.get("/settings/apps")
    assert len(settings.all(".session")) == 1 and "An &lt;app&gt;" in settings.text
    done = ann.submit(settings.form("form.app-revoke"))
    assert not done.all(".session")
    assert api.ask("GET", "/api/v1/timelines/home").status == 401
    assert ann.is_signed_in()


def test_code_is_good_once(server, people, app):
    """A code that comes twice ends what the first one got; one of another app or address is worth nothing."""
    ann = people(server, "ann")

    def new_code():
        said = answer(ann, ann.get(address(app)), "allow")
        return parameters(said.headers["Location"])["code"]

    code = new_code()
    token = exchange(server, app, code).json()["access_token"]
    assert exchange(server, app, code).json()["error"] == "invalid_grant"
    assert Api(server, token).ask("GET", "/api/v1/timelines/home").status == 401
    assert exchange(server, app, new_code(), redirect="phone-app://back").status_code == 400
    assert exchange(server, app, new_code(), client_secret="x" * 43).status_code == 401
    other = make_app(server, redirect=WEB)
    assert exchange(server, other, new_code()).status_code == 400


def test_no(server, people, app):
    """The app is told so; without an address the person is."""
    ann = people(server, "ann")
    said = answer(ann, ann.get(address(app, state="s")), "deny")
    back = parameters(said.headers["Location"])
    assert back["error"] == "access_denied" and back["state"] == "s" and "code" not in back
    said = answer(ann, ann.get(address(app, redirect_uri=OUT_OF_BAND)), "deny")
    assert said.headers["Location"] == "/home"
    assert not ann.get("/settings/apps").all(".session")


def test_other_addresses(server, people, app):
    """A program of a phone, and the code as text."""
    ann = people(server, "ann")
    page = ann.get(address(app, redirect_uri="phone-app://back"))
    assert "form-action" not in page.headers["Content-Security-Policy"]
    assert answer(ann, page, "allow").headers["Location"].startswith("phone-app://back?code=")
    shown = answer(ann, ann.get(address(app, redirect_uri=OUT_OF_BAND)), "allow")
    assert shown.status == 200
    code = shown.one("#oauth-code").text
    assert exchange(server, app, code, redirect=OUT_OF_BAND).status_code == 200


def test_asked_wrongly(server, people, app):
    """An error page each, and nobody is sent anywhere."""
    ann = people(server, "ann")
    for fields in ({"client_id": "1"}, {"client_id": None}, {"client_id": "x" * 30}, {"redirect_uri": "https://evil.example/"},
                   {"redirect_uri": WEB + "x"}, {"redirect_uri": None}, {"redirect_uri": WEB.upper()}, {"response_type": "token"},
                   {"response_type": None}, {"scope": "read write"}, {"scope": "nonsense"}, {"scope": "write:lists push"},
                   {"code_challenge": CHALLENGE}, {"code_challenge": CHALLENGE, "code_challenge_method": "plain"},
                   {"code_challenge": "short", "code_challenge_method": "S256"}, {"code_challenge_method": "S256"}):
        for browser in (ann, Browser(server)):
            page = browser.get(address(app, **fields), expect=None, follow=False)
            assert page.status == 422, fields
            assert "Location" not in page.headers and not page.all("form.oauth-answer")
    page = ann.get(address(app))
    form = page.form("form.oauth-answer")
    for field, value in (("redirect_uri", "https://evil.example/"), ("scope", "read write"), ("client_id", "1"), ("code_challenge", "x")):
        said = ann.submit(form, {"decision": "allow", field: value}, follow=False)
        assert said.status == 422 and "Location" not in said.headers, field
    assert not ann.get("/settings/apps").all(".session")


def test_strangers_sign_in_first(server, people, app):
    """The way leads back to the question; whoever asks for it signs in again though he is."""
    ann = people(server, "ann")
    stranger = Browser(server)
    page = stranger.get(address(app, state="s"))
    assert "An &lt;app&gt;" in page.text and not page.all("form.oauth-answer")
    assert page.headers["X-Frame-Options"] == "DENY" and page.headers["Cache-Control"] == "no-store"
    question = stranger.submit(page.form("form.sign-in"), username=ann.name, password=PASSWORD)
    assert question.path.startswith("/oauth/authorize?") and question.form("form.oauth-answer").values["state"] == "s"
    long = "s" * 6000  # some apps keep in it all that they will need
    stranger = Browser(server)
    question = stranger.submit(stranger.get(address(app, state=long)).form("form.sign-in"), username=ann.name, password=PASSWORD)
    assert parameters(answer(stranger, question, "allow").headers["Location"])["state"] == long
    again = ann.get(address(app, force_login="True"))
    assert again.all("form.sign-in") and not again.all("form.oauth-answer")
    assert "force_login" not in again.one("form.sign-in input[name=next]")["value"]
    said = Browser(server).post_form("/oauth/authorize", {"client_id": app["client_id"], "redirect_uri": WEB, "decision": "allow"},
                                     follow=False)
    assert said.status in (303, 403) and "code=" not in said.headers.get("Location", "")


def test_form_is_his_own(server, people, app):
    """A token that is missing, a stranger's or another's, another site, a link: no code. After the end of the session: asked again."""
    ann, bob = people(server, "ann", "bob")
    data = {**ann.get(address(app, state="s")).form("form.oauth-answer").values, "decision": "allow"}
    for token in ("", Browser(server).token(), bob.token()):
        assert ann.post_form("/oauth/authorize", {**data, "csrf_token": token}, follow=False).status == 403
    for site in ("cross-site", "same-site"):
        assert ann.post_form("/oauth/authorize", data, follow=False, headers={"Sec-Fetch-Site": site}).status == 403
    assert ann.get(address(app) + "&decision=allow").form("form.oauth-answer")
    elsewhere = Browser(server).sign_in(ann.name)
    elsewhere.submit(elsewhere.get("/settings/sessions").form("form.revoke-others"))
    said = ann.post_form("/oauth/authorize", data, follow=False)
    assert said.status == 303 and said.headers["Location"].startswith("/auth/sign_in?next=")
    again = ann.try_sign_in(ann.name, path=said.headers["Location"])
    assert again.form("form.oauth-answer").values["state"] == "s"
    back = parameters(answer(ann, again, "ALLOW").headers["Location"])  # what is no yes is a no
    assert back["error"] == "access_denied" and "code" not in back


def test_addresses_that_mislead(server, people):
    """What stands before an @ would pass for the host."""
    ann = people(server, "ann")
    for redirect in ("https://good.example@evil.example/", "https://evil.example\\@good.example/"):
        page = ann.get(address(make_app(server, redirect=redirect, scopes="read write"), redirect_uri=redirect), expect=None)
        assert page.status == 422 and not page.all("form.oauth-answer"), redirect
