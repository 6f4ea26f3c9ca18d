"""Two servers on one engine are one site: what is done on one is true on the other. What lies in the engine is so with the next
request; what the other one remembers, as soon as it has heard of the change (see test_coherence.py)."""

import pytest

from retwis_process import wait_until
from retwis_server import PASSWORD, Browser, RedisServer, Server


@pytest.fixture(scope="module")
def pair():
    """Two servers, one redis-server of Debian."""
    with RedisServer() as redis:
        with Server(engine=redis) as one, Server(engine=redis) as two:
            yield one, two


def twin(browser, server):
    """The same person at the other server, with the same cookie."""
    other = Browser(server)
    other.session.cookies.set("retwis", browser.cookie)
    other.name = browser.name
    return other


SOON = 20  # seconds, of a busy machine: what is meant is milliseconds


def test_session_holds_everywhere(pair, people):
    """Signed in on one is signed in on both; signed out likewise."""
    here = people(pair[0], "here")
    there = twin(here, pair[1])
    assert there.is_signed_in()
    here.sign_out()
    assert not there.is_signed_in()


def test_form_of_one_is_taken_by_the_other(pair, people):
    """A proxy in front of both sends each request where it likes: the page comes from one, the answer goes to the other."""
    here = people(pair[0], "here")
    there = twin(here, pair[1])
    page = there.submit(here.get("/home").form("#compose"), status="from one to the other")
    assert page.status == 200 and page.texts[0] == "from one to the other"
    assert here.submit(there.get("/settings/sessions").form("/auth/sign_out"), follow=False).status == 303
    assert not here.is_signed_in() and not there.is_signed_in()
    stranger = Browser(pair[0])
    form = stranger.get("/auth/sign_in").form("form.sign-in")
    other = Browser(pair[1])
    other.session.cookies.update(stranger.session.cookies)
    page = other.submit(form, username=here.name, password=PASSWORD)
    assert page.status == 200 and page.path == "/home"


def test_browser_known_to_one_is_known_to_the_other():
    """Strangers who guess on one server do not keep the owner's browser, which signed up there, out of another."""
    env = {"RETWIS_LIMITS_SIGN_IN": "100/1m", "RETWIS_LIMITS_SIGN_IN_ACCOUNT": "2/1h"}
    with RedisServer() as redis, Server(engine=redis, limits=True, env=env) as one, \
            Server(engine=redis, limits=True, env=env) as two:
        owner, stranger = Browser(one).sign_up("alice"), Browser(one)
        assert [stranger.try_sign_in("alice", "a guess of mine").status for _ in range(3)] == [422, 422, 429]
        assert Browser(two).try_sign_in("alice").status == 429
        there = Browser(two)
        there.session.cookies.update(owner.session.cookies)
        there.session.cookies.set("retwis", None)
        there.sign_in("alice")


def test_posts_are_seen_at_once_and_deletions_soon(pair, people):
    """Also where the other server has the post in its memory."""
    here = people(pair[0], "here")
    there = twin(here, pair[1])
    stranger = Browser(pair[1])
    for path in ("/home", f"/@{here.name}", "/public", "/tags/shared"):
        ids = [here.post(f"#shared {i}") for i in range(3)][::-1]
        assert there.get(path).ids[:3] == ids, path
        here.delete(ids[1])
        wait_until(lambda: ids[1] not in there.get(path).ids, SOON, f"it is gone from {path}")
    post = here.post("on its own page")
    for _ in range(2):
        assert stranger.get(f"/@{here.name}/{post}").ids == [post]
    here.delete(post)
    wait_until(lambda: stranger.get(f"/@{here.name}/{post}", expect=None).status == 404, SOON, "its page is gone")


def test_replies_are_counted_everywhere(pair, people):
    """Also by a server that sees the post for the first time, and by one that has it in its memory."""
    here = people(pair[0], "here")
    stranger = Browser(pair[1])
    post = here.post("how many?")
    for i in range(1, 4):
        here.reply(here.name, post, f"answer {i}")
        if i > 1:
            wait_until(lambda: stranger.get(f"/@{here.name}/{post}").one(".status-large b").text == str(i), SOON,
                       "the other server knows")


def test_follows_are_seen_at_once(pair, people):
    """Home and buttons of the other server follow."""
    me, bob = people(pair[0], "me", "bob")
    bob.post("one")
    there = twin(me, pair[1])
    assert there.get("/home").ids == []
    me.follow(bob.name)
    assert there.get("/home").texts == ["one"]
    assert there.get(f"/@{bob.name}").one("main .profile .follow button")["data-following"] == "true"
    there.unfollow(bob.name)
    assert me.get("/home").ids == []


def test_blocks_are_seen_at_once(pair, people):
    """What the other server remembers of whom somebody keeps apart is not believed after a change, on neither side."""
    me, bob = people(pair[0], "me", "bob")
    there, bob_there = twin(me, pair[1]), twin(bob, pair[1])
    mine, his = me.post("mine"), bob.post("his")
    for verb, i_see, he_sees in (("mute", False, True), ("block", False, False), ("unmute", False, False), ("unblock", True, True)):
        me.action(f"/@{bob.name}/{verb}", follow=False)
        assert (his in there.get("/public").ids, mine in bob_there.get("/public").ids) == (i_see, he_sees), verb
    assert his in me.get("/public").ids


def test_profile_is_seen_soon(pair, people):
    """Whoever asks, the person himself too."""
    me = people(pair[0], "me")
    me.post("signed")
    there, stranger = twin(me, pair[1]), Browser(pair[1])
    there.get("/home"), stranger.get(f"/@{me.name}")
    for i in range(3):
        me.submit(me.get("/settings/profile").form("/settings/profile"), display_name=f"Name {i}", bio="")
        wait_until(lambda: there.get("/settings/profile").form("/settings/profile").values["display_name"] == f"Name {i}",
                   SOON, "the other server knows")
        assert there.get("/home").one(".me .me-name bdi").text == f"Name {i}"
        assert stranger.get(f"/@{me.name}").one("h1").text == f"Name {i}"
        assert stranger.get("/public").one(f"article a[href=/@{me.name}] bdi").text == f"Name {i}"


def test_rights_end_at_once(pair, people):
    """An administrator who is deleted deletes nothing more, on any server."""
    author, admin = people(pair[0], "author", "admin")
    there = twin(admin, pair[1])
    posts = [author.post(f"{i}") for i in range(3)]
    assert there.delete(posts[0]).status == 403
    pair[0].cli("user", "promote", admin.name)
    wait_until(lambda: there.delete(posts[0]).status == 200, SOON, "the other server knows of his rights")
    pair[0].cli("user", "demote", admin.name, expect=None)
    pair[0].cli("user", "delete", admin.name, "--yes")
    assert there.delete(posts[1], follow=False).status == 303
    assert author.get("/home").ids == [posts[2], posts[1]]


def test_ids_keep_their_order(pair, people):
    """Writing by turns on both: the home page is in order, nothing missing."""
    me, bob = people(pair[0], "me", "bob")
    me.follow(bob.name)
    there = twin(bob, pair[1])
    for i in range(10):
        (bob, there)[i % 2].post(f"{i}")
        assert me.get("/home").texts[0] == f"{i}"
    assert me.get("/home").texts == [f"{i}" for i in range(9, -1, -1)]
