"""Each row of `retwis routes` is for those whom it names, and for nobody else."""

import pytest

from retwis_process import wait_until
from retwis_routes import Caller, read_routes

SECRET = "A" * 43
# What takes away what others ask for comes last, what ends the own session last of all.
LAST = ("/lists/:id/delete", "/settings/sessions/revoke_others", "/settings/sessions/:id/revoke", "/auth/sign_out")
WHO = {"anyone": {"nobody", "dead", "foreign", "member", "administrator"}, "signed in": {"member", "administrator"},
       "administrator": {"administrator"}}


class Visitor:
    """One of those who ask, with what is his."""

    def __init__(self, server, cookie, values):
        self.caller = Caller(server)
        self.token, self.cookie = self.caller.token(cookie)
        self.values = values

    def ask(self, method, route):
        """The answer to a request that is right but for who makes it."""
        fields = route.fields(self.values)
        if method == "POST":
            fields["csrf_token"] = self.token
        return self.caller.ask(method, route.fill(self.values), self.cookie, fields)


def talk_of(reader, writer):
    """The number of a conversation between the two."""
    writer.post_quickly(f"@{reader.name} a word", visibility="direct")
    wait_until(lambda: reader.get("/messages").first("form.notice-dismiss"), 20, "the conversation is there")
    return reader.get("/messages").form("/messages/dismiss").values["id"]


@pytest.fixture
def visitors(server, people):
    """Nobody, a session that has ended, another's id with one's own secret, a member, an administrator."""
    member, admin, gone, star = people(server, "member", "boss", "gone", "star")
    server.cli("user", "promote", admin.name)
    dead = gone.cookie
    gone.sign_out()
    shared = {"status": "text", "names": star.name, "title": "mine", "locale": "en", "username": star.name, "tag": "tag",
              "name": star.name, "display_name": "d", "bio": "b", "password": "x", "current_password": "x", "version": "x",
              "path": "x.css", "until": "5"}
    made = {}
    for what, browser in (("member", member), ("administrator", admin)):
        browser.action("/settings/filters", phrase="tea", home="true")
        ids = {"@:name": star.post("a post"), "filters": browser.get("/settings/filters").one(".filter")["data-id"], "posts": browser.post("one to be deleted"),
               "lists": browser.make_list("mine").rsplit("/", 1)[1], "settings": "x", "notifications": "F:20000", "messages": talk_of(browser, star)}
        made[what] = (f"retwis={browser.cookie}", ids)
    uid = member.cookie[:18]
    ids = made["member"][1]
    made.update(nobody=(None, ids), dead=(f"retwis={dead}", ids), foreign=(f"retwis={uid}.{admin.cookie[19:]}", ids))
    return {what: (Visitor(server, cookie, {**shared, "boost": ids["@:name"]}), ids) for what, (cookie, ids) in made.items()}


def is_denied(answer):
    """Sent to sign in, or told that it is not for him."""
    return answer.status in (401, 403) or (answer.status == 303 and answer.header("Location").startswith("/auth/sign_in"))


def rows(server):
    """Method, route and who may, in an order in which nobody loses what he needs."""
    found = [(m, r, who) for r in read_routes(server) for m, who in r.who.items()]
    return sorted(found, key=lambda row: LAST.index(row[1].path) if row[1].path in LAST else -1)


def test_each_row_is_for_whom_it_says(server, visitors):
    """Whoever is not meant is told so, nobody by anything else; and who is meant gets an answer."""
    counted = {}
    for method, route, who in rows(server):
        for what, (visitor, ids) in visitors.items():
            whose = "filters" if "/filters/" in route.path else route.path.split("/")[1]
            visitor.values["id"] = ids.get(whose, "x")
            answer = visitor.ask(method, route)
            assert is_denied(answer) == (what not in WHO[who]), (method, route.path, who, what, answer.status, answer.headers)
            if what == "member" and who == "administrator":
                assert answer.status == 403, (method, route.path)
            elif what not in WHO[who]:
                assert answer.status == 303, (method, route.path, what)
            elif who != "anyone":
                assert answer.status in (200, 303, 422), (method, route.path, what, answer.status)
            counted[who, method] = counted.get((who, method), 0) + 1
    assert all(counted.get((who, method), 0) >= 20 for who in ("anyone", "signed in") for method in ("GET", "POST")), counted
