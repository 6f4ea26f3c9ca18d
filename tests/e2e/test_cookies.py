"""Worthless cookies: a visitor who sends one gets the same as without a cookie, on every address."""

import pytest

from retwis_routes import Caller, read_routes
from retwis_server import Browser
from retwis_truth import wait_for_jobs

SECRET = "A" * 43
NEVER = "117657670766635999"  # an id of nobody
# Nobody gets anything else; 431 is for cookies that no header has room for.
FINE = {200, 303, 400, 403, 404, 405, 422, 431}


def with_cookie(server, value):
    """A visitor with this session cookie."""
    browser = Browser(server)
    browser.session.headers["Cookie"] = f"retwis={value}"
    return browser


def expire(server, member):
    """Makes the session of a browser older than a session may become."""
    with server.engine() as engine:
        for key in engine.keys(f"*session:{member.cookie[:18]}*"):
            engine("HSET", key, "created", "1")


@pytest.fixture
def dead(server, people):
    """Cookies whose session is none: an id that never was, a wrong secret, another's secret, a session that was ended, one that
    is too old, a deleted user's."""
    member, other, revoked, expired, gone = people(server, "holder", "other", "revoked", "expired", "gone")
    old = revoked.cookie
    revoked.sign_out()
    expired.get("/home")
    expire(server, expired)
    gone.get("/home")
    server.cli("user", "delete", gone.name, "--yes", expect=None)
    uid = member.cookie[:18]
    return {"unknown": f"{NEVER}.{SECRET}", "wrong secret": f"{uid}.{SECRET}",
            "another's secret": f"{uid}.{other.cookie[19:]}", "revoked": old, "expired": expired.cookie,
            "deleted": gone.cookie}


def malformed(member):
    """Headers with cookies that cannot be a session: wrong in form, in length, in number."""
    uid, secret = member.cookie.split(".")
    yield from ("retwis=", "retwis", "=", ";", "retwis=x", f"retwis={uid}", f"retwis={uid}.", f"retwis=.{secret}",
                f"retwis={uid}.{secret}x", f"retwis={uid}.{secret[:-1]}", f"retwis={uid}_{secret}",
                f"retwis={'0' * 18}.{secret}", f"retwis={'9' * 18}.{secret}", f"retwis=-{uid[1:]}.{secret}",
                f"retwis={uid}.{'%00' * 14}x", f"retwis={uid}.{secret[:-1]}\xff", f'retwis="{uid}.x"',
                f"retwis={member.cookie}; retwis={member.cookie}", f"retwis={NEVER}.{SECRET}; retwis={member.cookie}",
                f"retwis={member.cookie}; retwis=", f"__Host-retwis={member.cookie}", f"Retwis={member.cookie}")
    for size in (61, 63, 255, 256, 1000, 4096, 7000, 8000):
        yield f"retwis={'7' * size}"
        yield f"retwis={uid}.{'A' * size}"
    yield "; ".join(f"retwis{i}=x" for i in range(800))


@pytest.fixture
def fills(server, people):
    """Values for the parameters of every route: of what is there, of what was deleted, and of what never was."""
    star, gone = people(server, "star", "late")
    post, taken = star.post("a post #tag"), star.post("another")
    star.delete(taken)
    made = star.make_list("mine").rsplit("/", 1)[1]
    gone_post = gone.post("a post of somebody who leaves")
    server.cli("user", "delete", gone.name, "--yes", expect=None)
    text = {"status": "text", "names": star.name, "title": "t", "locale": "en", "username": star.name, "next": "/public",
            "tag": "tag", "version": "x", "path": "style.css", "display_name": "d", "bio": "b", "password": "",
            "password2": "", "current_password": "x"}
    return [{**text, "name": star.name, "id": post, "max_id": post},
            {**text, "name": star.name, "id": made, "min_id": "1"},
            {**text, "name": gone.name, "id": gone_post, "min_id": gone_post, "in_reply_to_id": gone_post},
            {**text, "name": star.name, "id": taken, "since_id": taken, "in_reply_to_id": taken},
            {**text, "name": "nobody_at_all", "id": NEVER, "max_id": "1", "locale": "xx", "names": ",,", "next": "//x"},
            {**text, "name": "\xe4 b", "id": "x", "max_id": "-", "tag": "%", "names": "", "next": "x" * 1500}]


class Visitor:
    """Somebody with this cookie header, and the token that his forms have."""

    def __init__(self, server, cookie):
        self.caller = Caller(server)
        self.token, self.cookie = self.caller.token(cookie)

    def ask(self, route, values, methods=("GET", "HEAD", "POST", "form")):
        """The answers by method; "form" is a POST with its token."""
        path, fields = route.fill(values), route.fields(values)
        answers = {}
        for method in methods:
            token = {"csrf_token": self.token} if method == "form" else {}
            answers[method] = self.caller.ask(method.replace("form", "POST"), path, self.cookie, {**fields, **token})
        return answers


def check(route, answers, what):
    """Statuses that make sense for somebody who is nobody."""
    for method, answer in answers.items():
        assert answer.status in FINE, (what, route.path, method, answer.status)
        is_there = ("POST" if method == "form" else method.replace("HEAD", "GET")) in route.methods
        if answer.status == 431:
            continue
        assert is_there or answer.status in (403, 404, 405), (what, route.path, method, answer.status)
        if route.signed_in:
            assert answer.status != 200, (what, route.path, method)
            assert answer.status != 303 or answer.header("Location").startswith(("/auth/sign_in", "/settings/profile")), \
                (what, route.path, method, answer.headers)


def check_same(nobody, route, values, expected, answers, what):
    """The answers to a dead session are those to nobody: as they were before, or as they are now. What happened before the test
    may still go its way while it runs (somebody's posts go when he is gone, what is trends changes)."""
    for method, answer in answers.items():
        if route.signed_in and answer.status in (400, 404):
            continue  # a wrong address, said without asking who it is
        if answer.essence() != expected[method].essence():
            now = nobody.ask(route, values, (method,))[method]
            assert answer.essence() == now.essence(), (what, route.path, method, values)


def test_dead_sessions_on_every_address(server, fills, dead):
    """A dead session is like none: the same status, the same place to go to, the same page."""
    pid = server.process.pid
    wait_for_jobs(server)
    nobody = Visitor(server, None)
    visitors = {what: Visitor(server, f"retwis={cookie}") for what, cookie in dead.items()}
    for route in read_routes(server):
        if route.path in ("/health", "/metrics", "/settings"):
            continue  # numbers that change; and /settings leads to its first page, which asks who it is
        for values in fills:
            expected = nobody.ask(route, values)
            check(route, expected, "no cookie")
            for what, visitor in visitors.items():
                answers = visitor.ask(route, values)
                check(route, answers, what)
                check_same(nobody, route, values, expected, answers, what)
    assert server.process.poll() is None and server.process.pid == pid


def test_malformed_cookies_on_every_address(server, people, fills):
    """Whatever stands in the header: an answer, and never that of the member."""
    member = people(server, "member")
    pid = server.process.pid
    routes = read_routes(server)
    for cookie in malformed(member):
        visitor = Visitor(server, cookie)
        for route in routes:
            answers = visitor.ask(route, fills[0], ("GET", "form"))
            check(route, answers, cookie[:80])
            assert not any('class="sign-out"' in a.body for a in answers.values()), (cookie[:80], route.path)
    assert member.is_signed_in()
    assert server.process.poll() is None and server.process.pid == pid


def test_error_pages_believe_nobody(server, people, unique):
    """An id without its secret is nobody's, on pages too that answer without asking the engine: whether somebody is
    administrator is not to be seen there."""
    admin = people(server, "boss")
    server.cli("user", "promote", admin.name)
    admin.get("/home")  # in the cache
    stranger = with_cookie(server, f"{admin.cookie[:18]}." + SECRET)
    for page in (stranger.action("/auth/sign_in", username=unique("no"), password="wrong password"),
                 stranger.action("/auth/sign_up", username="", password="x"),
                 stranger.get("/nowhere", expect=404)):
        assert admin.name not in page.response.text, page.summary
