"""OAuth 2 as programs speak it: registration, tokens for codes and passwords, an application's own, and their end."""

import base64
import hashlib

import pytest

from api_client import Api, ALL_SCOPES
from api_entities import check
from retwis_browser import PASSWORD, Browser
from retwis_server import Server, wait_until

OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
WEB = "https://elk.example/callback?a=b"


@pytest.fixture(scope="module")
def server():
    """One of its own: a setting is changed."""
    with Server() as own:
        yield own


@pytest.fixture(scope="module")
def nobody(server):
    return Api(server)


@pytest.fixture(scope="module")
def app(nobody):
    return nobody.post("/api/v1/apps", client_name="Elk", redirect_uris=[WEB, OUT_OF_BAND], scopes=ALL_SCOPES,
                       website="https://elk.example")


@pytest.fixture(scope="module")
def alice(server, app):
    Browser(server).sign_up("alice_oauth")
    return "alice_oauth"


def ask(nobody, app, expect=200, **fields):
    fields = {"client_id": app["client_id"], "client_secret": app["client_secret"], **fields}
    return nobody.post("/oauth/token", expect=expect, **{k: v for k, v in fields.items() if v is not None})


def code_of(server, app, name, *options):
    return server.cli("app", "code", name, app["client_id"], *options).strip()


def who_is(server, token):
    return Api(server, token).ask("GET", "/api/v1/apps/verify_credentials")


def test_registration(server, nobody, app):
    """In every encoding, and nothing that would run in a browser."""
    check(app, "CredentialApplication")
    assert app["scopes"] == ["read", "write", "follow", "push"] and app["redirect_uris"] == [WEB, OUT_OF_BAND]
    assert app["redirect_uri"] == WEB + "\n" + OUT_OF_BAND and app["website"] == "https://elk.example"
    plain = nobody.form("POST", "/api/v1/apps", client_name="toot", redirect_uris=OUT_OF_BAND)
    assert plain["scopes"] == ["read"] and plain["website"] is None and plain["client_secret"] != app["client_secret"]
    assert nobody.post("/api/v1/apps", client_name="a", redirect_uris=OUT_OF_BAND, scopes="admin:read admin:write")
    for wrong in ({"client_name": ""}, {"redirect_uris": "javascript:alert(1)"}, {"redirect_uris": "/here"},
                  {"scopes": "everything"}, {"website": "nowhere"}, {"redirect_uris": []}, {"client_name": "x" * 61}):
        body = {"client_name": "toot", "redirect_uris": OUT_OF_BAND, **wrong}
        assert nobody.post("/api/v1/apps", expect=422, **body)["error"].startswith("Validation failed: "), wrong


def test_code(server, nobody, app, alice):
    """Good once, for this application and redirect; the second time ends the token too."""
    code = code_of(server, app, alice, "--redirect-uri", WEB, "--scopes", "read write:statuses")
    other = nobody.post("/api/v1/apps", client_name="Other", redirect_uris=WEB)
    grant = {"grant_type": "authorization_code", "code": code, "redirect_uri": WEB}
    assert ask(nobody, other, 400, **grant)["error"] == "invalid_grant"
    assert ask(nobody, app, 400, **{**grant, "redirect_uri": OUT_OF_BAND})["error"] == "invalid_grant"
    assert ask(nobody, app, 400, **{**grant, "code_verifier": "x" * 43})["error"] == "invalid_grant"
    assert ask(nobody, app, 400, **{**grant, "code": code[:-1]})["error"] == "invalid_grant"
    assert ask(nobody, app, 400, grant_type="authorization_code", code=code)["error"] == "invalid_request"
    token = ask(nobody, app, **grant, scope="push")
    check(token, "Token")
    assert token["scope"] == "read write:statuses" and "expires_in" not in token
    assert who_is(server, token["access_token"]).json["name"] == "Elk"
    assert ask(nobody, app, 400, **grant)["error"] == "invalid_grant"
    assert who_is(server, token["access_token"]).status == 401


def test_code_with_challenge(server, nobody, app, alice):
    verifier = "a" * 20 + "-._~" + "Z" * 30
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    grant = {"grant_type": "authorization_code", "redirect_uri": OUT_OF_BAND,
             "code": code_of(server, app, alice, "--challenge", challenge)}
    assert ask(nobody, app, 400, **grant)["error"] == "invalid_grant"
    assert ask(nobody, app, 400, **grant, code_verifier=challenge)["error"] == "invalid_grant"
    assert ask(nobody, app, **grant, code_verifier=verifier)["scope"] == ALL_SCOPES


def test_password(server, nobody, app, alice):
    """By name, @name, or name@host as an e-mail address; never told what was wrong."""
    host = server.url.split("://")[1]
    for name in (alice, "@" + alice, f"{alice}@{host}", alice.upper()):
        token = ask(nobody, app, grant_type="password", username=name, password=PASSWORD, scope="read write follow")
        check(token, "Token")
        assert token["scope"] == "read write follow"
    for wrong in ({"password": "wrong"}, {"username": "nobody_at_all"}, {"username": None}, {"password": None},
                  {"username": f"{alice}@elsewhere.example"}):
        fields = {"username": alice, "password": PASSWORD, **wrong}
        assert ask(nobody, app, 400, grant_type="password", **fields)["error"] == "invalid_grant", wrong
    wide = ask(nobody, app, 400, grant_type="password", username=alice, password=PASSWORD, scope="read admin:read")
    assert wide["error"] == "invalid_scope"
    server.cli("settings", "set", "apps.password", "no")
    try:
        fields = {"grant_type": "password", "username": alice, "password": PASSWORD}
        wait_until(lambda: "password" not in nobody.get("/.well-known/oauth-authorization-server")["grant_types_supported"],
                   10, "the setting to be noticed")
        assert ask(nobody, app, 400, **fields)["error"] == "unsupported_grant_type"
    finally:
        server.cli("settings", "set", "apps.password", "yes")
        wait_until(lambda: "password" in nobody.get("/.well-known/oauth-authorization-server")["grant_types_supported"],
                   10, "the setting to be noticed")


def test_own_token(server, nobody, app):
    """Of an application by itself: good for what is nobody's."""
    token = ask(nobody, app, grant_type="client_credentials", redirect_uri=OUT_OF_BAND)
    assert token["scope"] == "read"
    check(who_is(server, token["access_token"]).json, "Application")
    own = Api(server, token["access_token"])
    assert own.get("/api/v1/timelines/home", expect=422)["error"] == "This method requires an authenticated user"
    own.get("/api/v1/timelines/public")
    wide = Api(server, ask(nobody, app, grant_type="client_credentials", scope=ALL_SCOPES)["access_token"])
    refused = wide.post("/api/v1/statuses", expect=422, status="by nobody")
    assert refused["error"] == "This method requires an authenticated user"
    assert ask(nobody, app, 400, grant_type="client_credentials", scope="x")["error"] == "invalid_scope"


def test_which_application_it_is(server, nobody, app):
    fields = {"grant_type": "client_credentials"}
    for wrong in ({"client_secret": "wrong"}, {"client_id": "1"}, {"client_id": None}, {"client_secret": None},
                  {"client_secret": ""}):
        assert ask(nobody, app, 401, **fields, **wrong)["error"] == "invalid_client", wrong
    assert ask(nobody, app, 400, grant_type="implicit")["error"] == "unsupported_grant_type"
    assert ask(nobody, app, 400)["error"] == "invalid_request"
    basic = base64.b64encode(f"{app['client_id']}:{app['client_secret']}".encode()).decode()
    for header, status in ((basic, 200), (basic[:-8], 401), ("?", 401), ("", 401)):
        answer = nobody.ask("POST", "/oauth/token", headers={"Authorization": "Basic " + header}, data=fields)
        assert answer.status == status, (header, answer.summary)
        assert answer.headers["Cache-Control"] == "no-store"


def test_revoke(server, nobody, app, alice):
    """By the application that has it; again it is no error."""
    made = server.cli("app", "token", alice, "--app", app["client_id"]).strip()
    assert who_is(server, made).status == 200
    fields = {"client_id": app["client_id"], "client_secret": app["client_secret"], "token": made}
    assert nobody.post("/oauth/revoke", expect=403, **{**fields, "client_secret": "x"})["error"] == "unauthorized_client"
    other = nobody.post("/api/v1/apps", client_name="Other", redirect_uris=WEB)
    foreign = {**fields, "client_id": other["client_id"], "client_secret": other["client_secret"]}
    assert nobody.post("/oauth/revoke", expect=403, **foreign)["error"] == "unauthorized_client"
    assert who_is(server, made).status == 200
    for _ in range(2):
        assert nobody.post("/oauth/revoke", **fields) == {}
        assert who_is(server, made).status == 401


def test_commands(server, app, alice):
    """What is made by the command line is listed and ended by it, and a running server notices within moments."""
    made = server.cli("app", "token", alice, "--app", app["client_id"], "--secret", "s" * 20).strip()
    assert made.endswith("." + "s" * 20) and who_is(server, made).status == 200
    rows = [row.split("\t") for row in server.cli("app", "list", alice).splitlines()]
    assert rows and all(len(row) == 6 for row in rows) and rows[0][1] == app["client_id"] and rows[0][5] == "Elk"
    server.cli("app", "revoke", rows[0][0])
    wait_until(lambda: who_is(server, made).status == 401, 2, "the token has ended")
    made = server.cli("app", "token", alice).strip()
    assert who_is(server, made).json["name"] == "command line"
    server.cli("app", "revoke", made)
    wait_until(lambda: who_is(server, made).status == 401, 2, "the token has ended")
    own = server.cli("app", "token", "--app", app["client_id"]).strip()
    assert who_is(server, own).status == 200


def wait_for_home(api, status):
    """What another process changes is seen within moments, not at once."""
    def answers():
        answer = api.ask("GET", "/api/v1/timelines/home")
        return answer if answer.status == status else None

    return wait_until(answers, 2, f"home answers {status}")


def test_whoever_is_suspended_or_deleted(server, app):
    """Tokens are worth nothing as long as it lasts, and again afterwards; those of the deleted are gone."""
    Browser(server).sign_up("carol_oauth")
    carol = Api(server, server.cli("app", "token", "carol_oauth", "--app", app["client_id"]).strip())
    carol.post("/api/v1/statuses", status="here")
    server.cli("user", "suspend", "carol_oauth")
    assert wait_for_home(carol, 401).error == "The access token is invalid"
    assert carol.post("/api/v1/statuses", expect=401, status="not here")["error"] == "The access token is invalid"
    server.cli("user", "restore", "carol_oauth")
    wait_for_home(carol, 200)
    server.cli("user", "passwd", "carol_oauth", "--password-stdin", input="another password\n")
    wait_for_home(carol, 401)
    carol = Api(server, server.cli("app", "token", "carol_oauth").strip())
    carol.get("/api/v1/timelines/home")
    server.cli("user", "delete", "carol_oauth", "--yes")
    wait_for_home(carol, 401)
    carol.post("/api/v1/statuses", expect=401, status="not here")


def test_document(server, nobody):
    document = nobody.get("/.well-known/oauth-authorization-server")
    assert document["token_endpoint"] == server.url + "/oauth/token"
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert {"read", "write", "follow", "push", "read:statuses"} <= set(document["scopes_supported"])


def test_sign_up(server, nobody, app):
    """By an application's own token; what is wrong is said by field, in the words that programs know."""
    own = Api(server, ask(nobody, app, grant_type="client_credentials", scope="read write")["access_token"])
    form = {"username": "newcomer", "email": "new@example.org", "password": PASSWORD, "agreement": True, "locale": "en"}
    assert nobody.post("/api/v1/accounts", expect=401, **form)["error"] == "The access token is invalid"
    small = Api(server, ask(nobody, app, grant_type="client_credentials", scope="read")["access_token"])
    assert small.post("/api/v1/accounts", expect=403, **form)["error"] == "This action is outside the authorized scopes"

    def wrong(**fields):
        details = own.post("/api/v1/accounts", expect=422, **{**form, **fields})["details"]
        assert all(entry["description"] for entries in details.values() for entry in entries)
        return {field: [entry["error"] for entry in entries] for field, entries in details.items()}

    nothing = {"username": "", "email": "", "password": "", "agreement": False}
    assert wrong(**nothing) == {"agreement": ["ERR_ACCEPTED"], "email": ["ERR_BLANK", "ERR_INVALID"],
                                "password": ["ERR_BLANK"], "username": ["ERR_BLANK"]}
    assert wrong(agreement="false") == {"agreement": ["ERR_ACCEPTED"]}
    assert wrong(email="nowhere") == {"email": ["ERR_INVALID"]}
    assert wrong(username="admin") == {"username": ["ERR_RESERVED"]}
    assert wrong(username="a b") == {"username": ["ERR_INVALID"]}
    assert wrong(password="short") == {"password": ["ERR_TOO_SHORT"]}
    token = own.post("/api/v1/accounts", **form)
    check(token, "Token")
    assert token["scope"] == "read write"
    assert who_is(server, token["access_token"]).json["name"] == "Elk"
    Api(server, token["access_token"]).get("/api/v1/timelines/home")
    assert wrong() == {"username": ["ERR_TAKEN"]}
    again = {**form, "username": "newcomer2"}
    server.cli("settings", "set", "registration", "closed")
    try:
        wait_until(lambda: not nobody.get("/api/v2/instance")["registrations"]["enabled"], 10, "the setting to be noticed")
        assert own.post("/api/v1/accounts", expect=403, **again)["error"] == "This action is not allowed"
        code = server.cli("invite").split()[0]
        server.cli("settings", "set", "registration", "invite")
        wait_until(lambda: nobody.get("/api/v2/instance")["registrations"]["enabled"], 10, "the setting to be noticed")
        assert wrong(username="newcomer2") == {"invite_code": ["ERR_BLANK"]}
        check(own.form("POST", "/api/v1/accounts", **again, invite_code=code), "Token")
    finally:
        server.cli("settings", "set", "registration", "open")
        wait_until(lambda: "invite_code" not in Browser(server).get("/auth/sign_up").text, 10, "the setting to be noticed")


def test_posts_say_by_what_they_were_written(server, nobody, app, alice):
    """Edits change nothing of that; posts of the pages say nothing."""
    me = Api(server, server.cli("app", "token", alice, "--app", app["client_id"]).strip())
    shown = {"name": "Elk", "website": "https://elk.example"}
    post = me.post("/api/v1/statuses", status="by a program")
    check(post, "Status+")
    assert post["application"] == shown
    assert nobody.get(f"/api/v1/statuses/{post['id']}")["application"] == shown
    other = Api(server, server.cli("app", "token", alice).strip())
    edited = other.put(f"/api/v1/statuses/{post['id']}", status="by another one")
    assert edited["edited_at"] and edited["application"] == shown
    assert other.post("/api/v1/statuses", status="again")["application"] == {"name": "command line", "website": None}
    Browser(server).sign_in(alice).post("by hand")
    assert nobody.get("/api/v1/timelines/public", limit=1)[0]["application"] is None
