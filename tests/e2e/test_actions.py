"""Every form of the site, and every command that changes data, tried by those who may and those who may not.

One row for each address that takes a POST: what is sent, the answers to nobody, a stranger, the owner and an
administrator, and whether the owner's thing was then changed. The rules are those of the table in
src/social/core/action.h, which tests/unit/test_social_actions.c walks function by function; here the way in is the
browser's, and the command line's.
"""

import dataclasses
import itertools
import typing

import pytest

from retwis_routes import read_routes
from retwis_server import PASSWORD, Browser, Server
from retwis_trips import check_trips

PERSONS = ("nobody", "stranger", "owner", "admin")
SIGN_IN = (303, "/auth/sign_in")
_numbers = itertools.count(1)


@dataclasses.dataclass
class Things:
    """What is tried upon: all of it the owner's, and new for each try."""

    server: Server
    owner: Browser
    number: int
    post: str
    list: str
    notice: str  # somebody mentions the owner
    talk: str  # of the owner with himself
    filter: str
    session: Browser  # another browser in which the owner is signed in
    session_id: str

    @property
    def list_page(self):
        """The page of the list's members, None when there is none."""
        page = self.owner.get(f"/lists/{self.list}/members", expect=None)
        return page if page.status == 200 else None

    @property
    def filters(self):
        """The numbers of the owner's filters."""
        return [e["data-id"] for e in self.owner.get("/settings/filters").all(".filter")]

    @property
    def members(self):
        """How many are on the list."""
        return self.list_page.one("[data-count=members]").text


@dataclasses.dataclass
class Row:
    """What is sent, the answers in the order of PERSONS (a status, or a status and where it leads to), and who gets it `done`."""

    fields: typing.Callable
    answers: tuple
    done: typing.Callable = None
    done_by: tuple = ()


def members(status, location=None):
    """The answers where everybody who is signed in may, on his own account."""
    return (SIGN_IN, *[(status, location) if location else status] * 3)


def owner_only(status):
    """The answers where nobody else learns that there is such a thing."""
    return (SIGN_IN, 404, status, 404)


def make_app(server):
    """The id of a new app."""
    return server.cli("app", "create", "An app", "--redirect-uri", "https://app.example/").split()[1]


def let_in(things):
    """The name of a token by which an app acts for the owner."""
    things.server.cli("app", "token", "owner_1", "--app", make_app(things.server))
    return things.owner.get("/settings/apps").first(".session")["data-id"]


ROWS = {
    "/auth/sign_up": Row(lambda t: {"username": f"newcomer_{t.number}", "password": PASSWORD, "password2": PASSWORD},
                         ((303, "/home"),) * 4),
    "/auth/sign_in": Row(lambda t: {"username": "owner_1", "password": PASSWORD}, ((303, "/home"),) * 4),
    "/auth/sign_out": Row(lambda t: {}, ((303, "/"),) * 4),
    "/posts": Row(lambda t: {"status": "words"}, members(303, "/home")),
    "/posts/:id/delete": Row(lambda t: {"id": t.post}, (SIGN_IN, 403, 303, 303),
                             lambda t: t.owner.get(f"/@owner_1/{t.post}", expect=None).status == 404, ("owner", "admin")),
    "/posts/:id/edit": Row(lambda t: {"id": t.post, "status": f"edited {t.number}"}, (SIGN_IN, 403, 303, 403),
                           lambda t: f"edited {t.number}" in t.owner.get(f"/@owner_1/{t.post}").text, ("owner",)),
    "/posts/react": Row(lambda t: {"favourite": t.post}, members(303, "/home#post-")),
    "/posts/:id/favourite": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/posts/:id/unfavourite": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/posts/:id/bookmark": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/posts/:id/unbookmark": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/posts/:id/boost": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/posts/:id/unboost": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/posts/:id/pin": Row(lambda t: {"id": t.post}, (SIGN_IN, 403, 303, 403),
                          lambda t: bool(t.owner.get("/@owner_1").all(f"#post-pinned-{t.post}")), ("owner",)),
    "/posts/:id/unpin": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/posts/:id/mute": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/posts/:id/unmute": Row(lambda t: {"id": t.post}, members(303, "/home")),
    "/follow": Row(lambda t: {"names": "victim_1"}, members(200)),
    "/unfollow": Row(lambda t: {"names": "victim_1"}, members(200)),
    "/@:name/follow": Row(lambda t: {"name": "victim_1"}, members(303, "/@victim_1")),
    "/@:name/unfollow": Row(lambda t: {"name": "victim_1"}, members(303, "/@victim_1")),
    "/tags/:tag/follow": Row(lambda t: {"tag": "tea"}, members(303, "/tags/tea")),
    "/tags/:tag/unfollow": Row(lambda t: {"tag": "tea"}, members(303, "/tags/tea")),
    "/@:name/block": Row(lambda t: {"name": "victim_1"}, members(303, "/@victim_1")),
    "/@:name/unblock": Row(lambda t: {"name": "victim_1"}, members(303, "/@victim_1")),
    "/@:name/mute": Row(lambda t: {"name": "victim_1", "notifications": "true", "duration": "60"}, members(303, "/@victim_1")),
    "/@:name/unmute": Row(lambda t: {"name": "victim_1"}, members(303, "/@victim_1")),
    "/@:name/note": Row(lambda t: {"name": "victim_1", "comment": "somebody"}, members(303, "/@victim_1")),
    "/@:name/endorse": Row(lambda t: {"name": "victim_1"}, members(303, "/@victim_1")),
    "/@:name/unendorse": Row(lambda t: {"name": "victim_1"}, members(303, "/@victim_1")),
    "/@:name/remove": Row(lambda t: {"name": "victim_1"}, members(303, "/@victim_1")),
    "/@:name/accept": Row(lambda t: {"name": "victim_1"}, members(303, "/requests")),
    "/@:name/reject": Row(lambda t: {"name": "victim_1"}, members(303, "/requests")),
    "/requests/accept": Row(lambda t: {}, members(303, "/requests")),
    "/requests/reject": Row(lambda t: {}, members(303, "/requests")),
    "/settings/locked": Row(lambda t: {"locked": "true"}, members(303, "/settings/profile")),
    "/settings/filters": Row(lambda t: {"phrase": f"word {t.number}", "home": "true"}, members(303, "/settings/filters"),
                             lambda t: f"word {t.number}" in t.owner.get("/settings/filters").text, ("owner",)),
    "/settings/filters/:id/delete": Row(lambda t: {"id": t.filter}, owner_only(303),
                                        lambda t: t.filter not in t.filters, ("owner",)),
    "/lists": Row(lambda t: {"title": f"made {t.number}"}, members(303, "/lists/")),
    "/lists/:id/rename": Row(lambda t: {"id": t.list, "title": f"renamed {t.number}"}, owner_only(303),
                             lambda t: f"renamed {t.number}" in t.list_page.text, ("owner",)),
    "/lists/:id/set": Row(lambda t: {"id": t.list, "exclusive": "true"}, owner_only(303),
                          lambda t: bool(t.list_page.all("input[name=exclusive][checked]")), ("owner",)),
    "/lists/:id/delete": Row(lambda t: {"id": t.list}, owner_only(303), lambda t: t.list_page is None, ("owner",)),
    "/lists/:id/add": Row(lambda t: {"id": t.list, "names": "victim_1"}, owner_only(200),
                          lambda t: t.members == "2", ("owner",)),
    "/lists/:id/remove": Row(lambda t: {"id": t.list, "names": "owner_1"}, owner_only(200),
                             lambda t: t.members == "0", ("owner",)),
    "/messages/dismiss": Row(lambda t: {"id": t.talk}, owner_only(303),
                             lambda t: not t.owner.get("/messages").all(f"[data-id={t.talk}]"), ("owner",)),
    "/notifications/read": Row(lambda t: {"until": 2 ** 60}, members(303, "/notifications"),
                               lambda t: not t.owner.get("/home").all(".badge"), ("owner",)),
    "/notifications/dismiss": Row(lambda t: {"id": t.notice, "until": 2 ** 60}, members(303, "/notifications"),
                                  lambda t: not t.owner.get("/notifications?types=mention").all(f"[data-id={t.notice}]"),
                                  ("owner",)),
    "/notifications/clear": Row(lambda t: {"until": 2 ** 60}, members(303, "/notifications"),
                                lambda t: not t.owner.get("/notifications?types=mention").all(".notice"), ("owner",)),
    "/settings/profile": Row(lambda t: {"display_name": f"shown {t.number}"}, members(303, "/settings/profile"),
                             lambda t: f"shown {t.number}" in t.owner.get("/@owner_1").one("h1").text, ("owner",)),
    "/settings/preferences": Row(lambda t: {"visibility": "private"}, members(303, "/settings/preferences"),
                                 lambda t: t.owner.get("/home").form("#compose").values["visibility"] == "private",
                                 ("owner",)),
    "/settings/password": Row(lambda t: {"current_password": PASSWORD, "password": "another battery staple",
                                         "password2": "another battery staple"}, members(303, "/settings/password"),
                              lambda t: not t.session.is_signed_in(), ("owner",)),
    "/settings/sessions/revoke_others": Row(lambda t: {}, members(303, "/settings/sessions"),
                                            lambda t: not t.session.is_signed_in(), ("owner",)),
    "/settings/sessions/:id/revoke": Row(lambda t: {"id": t.session_id}, members(303, "/settings/sessions"),
                                         lambda t: not t.session.is_signed_in(), ("owner",)),
    "/oauth/authorize": Row(lambda t: {"client_id": make_app(t.server), "redirect_uri": "https://app.example/", "decision": "allow"},
                            members(303, "https://app.example/?code=")),
    "/settings/apps/:id/revoke": Row(lambda t: {"id": let_in(t)}, members(303, "/settings/apps"),
                                     lambda t: not t.owner.get("/settings/apps").all(".app-revoke"), ("owner",)),
    "/theme": Row(lambda t: {"theme": "dark"}, ((303, "/"),) * 4),
    "/locale": Row(lambda t: {"locale": "en"}, ((303, "/"),) * 4),
}


@pytest.fixture(scope="module")
def town():
    """A server with the people of the table."""
    with Server() as server:
        for name in ("owner_1", "stranger_1", "admin_1", "victim_1"):
            Browser(server).sign_up(name)
        server.cli("user", "promote", "admin_1")
        yield server


def revocable(browser):
    """Names of the sessions that the page of sessions has a button for: all but this one."""
    actions = [form["action"] for form in browser.get("/settings/sessions").all("form")]
    return {action.split("/")[3] for action in actions if action.endswith("/revoke")}


@pytest.fixture
def things(town):
    """All of a try. The list goes afterwards: the owner may have only 50."""
    made = make_things(town)
    yield made
    Browser(town).sign_in("owner_1").action(f"/lists/{made.list}/delete", follow=False)
    Browser(town).sign_in("owner_1").action(f"/settings/filters/{made.filter}/delete", follow=False)


def make_things(server):
    """See things."""
    owner = Browser(server).sign_in("owner_1")
    number = next(_numbers)
    owner.action("/settings/preferences", follow=False, visibility="public")  # whatever the try before has made of it
    path = owner.make_list(f"list {number}", "owner_1")
    session = Browser(server).sign_in("owner_1")
    [session_id] = revocable(owner) - revocable(session)
    owner.action("/settings/filters", phrase=f"mine {number}", home="true")
    [filter_id, *_] = [e["data-id"] for e in owner.get("/settings/filters").all(".filter")]
    owner.post(f"to myself {number}", visibility="direct")
    talk = owner.get("/messages").all(".notice")[0]["data-id"]
    mention = Browser(server).sign_in("victim_1").post(f"@owner_1 {number}")
    return Things(server, owner, number, owner.post(f"post {number}"), path.split("/")[-1], f"m:{mention}", talk, filter_id,
                  session, session_id)


def test_every_form_has_a_row(town):
    """A new address that takes a POST is to be thought about."""
    assert {r.path for r in read_routes(town) if "POST" in r.methods} == set(ROWS)


@pytest.mark.parametrize("path", ROWS)
@pytest.mark.parametrize("person", PERSONS)
def test_by(town, things, path, person):
    """The answer is the expected one, and it is done to what is the owner's only by whom it should be."""
    row = ROWS[path]
    browser = Browser(town)
    if person != "nobody":
        browser.sign_in(f"{person}_1")
    [route] = [r for r in read_routes(town) if r.path == path]
    values = row.fields(things)
    assert set(values) <= set(route.parameters), "the row names what the route knows"
    answer = browser.action(route.fill(values), follow=False, **{k: v for k, v in values.items() if k not in route.variables})
    wanted = row.answers[PERSONS.index(person)]
    status, location = wanted if isinstance(wanted, tuple) else (wanted, "")
    assert answer.status == status, answer.summary
    if person == "owner":
        check_trips(town, answer, "POST", path)
    assert answer.headers.get("Location", "").startswith(location)
    if row.done:
        # his own browser has been signed out too by what a new password, or the end of others, does
        things.owner = Browser(town) if path == "/settings/password" else Browser(town).sign_in("owner_1")
        assert row.done(things) == (person in row.done_by)
    if path == "/settings/password" and status == 303 and person != "nobody":
        town.cli("user", "passwd", f"{person}_1", "--password-stdin", input=PASSWORD + "\n")


# --- the command line ---------------------------------------------------------------------------------------------------

COMMANDS = {
    "user add": ("new_1", "--password-stdin"),
    "user passwd": ("owner_1", "--password-stdin"),
    "user promote": ("stranger_1",),
    "user demote": ("stranger_1",),
    "user limit": ("stranger_1",),
    "user suspend": ("stranger_1",),
    "user restore": ("stranger_1",),
    "follow": ("owner_1", "victim_1", "stranger_1", "admin_1"),
    "unfollow": ("owner_1", "victim_1", "stranger_1", "admin_1"),
    "invite": (),
    "settings set": ("site.name", "Another"),
    "user delete": ("stranger_1", "--yes"),
}


def test_command_line():
    """Who runs the machine may all of it, for anybody, and no limit is for him."""
    never = {f"RETWIS_LIMITS_{name}": "0/1h" for name in ("SIGN_UP", "SIGN_IN", "POST", "FOLLOW", "SETTINGS", "DELETE_POST")}
    with Server(limits=True, env=never) as server:
        for name in ("owner_1", "stranger_1", "admin_1", "victim_1"):
            server.cli("user", "add", name, "--password-stdin", input=PASSWORD + "\n")
        assert Browser(server).try_sign_in("owner_1").status == 429
        for command, words in COMMANDS.items():
            server.cli(*command.split(), *words, input=PASSWORD + "\n")
        assert Browser(server).get("/@owner_1/following").status == 200
        server.cli("check")
