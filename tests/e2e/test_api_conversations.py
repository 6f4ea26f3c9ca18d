"""Direct posts by conversation: who has which, what is the newest in each, what counts as read, and what becomes of them when posts,
people and relations change; and the page of messages that shows the same.
"""

import itertools

import pytest

from api_client import Api
from api_entities import check
from retwis_process import wait_until
from retwis_server import Server
from test_clocks import key

PATH = "/api/v1/conversations"
_numbers = itertools.count()


@pytest.fixture(name="site", scope="module")
def site_fixture(tmp_path_factory):
    """One server for all of these."""
    with Server(tmp_path_factory.mktemp("talks")) as server:
        yield server


@pytest.fixture(name="crowd")
def crowd_fixture(site):
    """crowd(3): so many new people with tokens."""
    def make(count):
        return [Api.sign_up(site, f"talker{next(_numbers):03}") for _ in range(count)]

    return make


def say(author, text, *to, **more):
    """A direct post to these; its id."""
    names = " ".join(f"@{one.name}" for one in to)
    return author.post("/api/v1/statuses", status=f"{names} {text}", visibility="direct", **more)["id"]


def talks(api, **query):
    """[(id of the newest post, with whom, unread)], the newest first."""
    found = check(api.get(PATH, **query), ["Conversation"])
    return [(one["last_status"]["id"], sorted(a["username"] for a in one["accounts"]), one["unread"]) for one in found]


def settles(api, expected):
    """Waits until that is what somebody has: a deletion is cleaned up behind its answer."""
    wait_until(lambda: talks(api) == expected, 10, f"to be {expected}")


def number(api, post):
    """The id of the conversation whose newest post that is."""
    return next(c["id"] for c in api.get(PATH) if c["last_status"]["id"] == post)


def test_two_people(site, crowd):
    """One conversation a thread, on both sides; what one has written himself is read."""
    assert Api(site).get(PATH, expect=401)
    alice, bob = crowd(2)
    assert talks(alice) == []
    alice.post("/api/v1/statuses", status=f"@{bob.name} for all")
    alice.post("/api/v1/statuses", status=f"@{bob.name} for few", visibility="private")
    assert talks(alice) == talks(bob) == [], "only what is direct"
    one = say(alice, "one", bob)
    assert talks(alice) == [(one, [bob.name], False)]
    assert talks(bob) == [(one, [alice.name], True)]
    two = say(bob, "two", alice, in_reply_to_id=one)
    assert talks(bob) == [(two, [alice.name], False)], "his answer has read it"
    assert talks(alice) == [(two, [bob.name], True)]
    assert number(alice, two) == number(bob, two), "the same for both"
    other = say(alice, "another thread", bob)
    assert talks(bob) == [(other, [alice.name], True), (two, [alice.name], False)]
    three = say(bob, "three", in_reply_to_id=one)
    assert talks(alice)[0] == (three, [bob.name], True), "an answer speaks to whom it answers; and came up"
    site.cli("check")


def test_read_unread_and_gone(site, crowd):
    """Marks, the answers to them, and a conversation that is taken away from one alone until somebody goes on."""
    alice, bob, mallory = crowd(3)
    one = say(alice, "psst", bob)
    it = f"{PATH}/{number(bob, one)}"
    for _ in range(2):
        answer = check(bob.post(f"{it}/read"), "Conversation")
        assert (answer["unread"], answer["last_status"]["id"]) == (False, one)
        assert talks(bob) == [(one, [alice.name], False)]
    for _ in range(2):
        assert check(bob.post(f"{it}/unread"), "Conversation")["unread"] is True
        assert talks(bob) == [(one, [alice.name], True)]
    for verb in ("read", "unread"):
        assert mallory.post(f"{it}/{verb}", expect=404)
        assert bob.post(f"{PATH}/{one}/{verb}", expect=404), "the id of a post is none"
        assert bob.post(f"{PATH}/0/{verb}", expect=404) and bob.post(f"{PATH}/x/{verb}", expect=404)
    assert mallory.delete(it, expect=404)
    assert bob.delete(it) == {}
    assert bob.delete(it, expect=404) and bob.post(f"{it}/read", expect=404) and talks(bob) == []
    assert talks(alice) == [(one, [bob.name], False)], "the other has it still"
    site.cli("check")  # it is not missed
    two = say(alice, "again", bob, in_reply_to_id=one)
    assert talks(bob) == [(two, [alice.name], True)]
    alice.delete(f"/api/v1/statuses/{two}")
    settles(bob, [])
    assert talks(alice) == [(one, [bob.name], False)]
    site.cli("check")


def test_deleted_posts(crowd, site):
    """The newest goes: the one before it is the newest, at its place; the last one goes: no conversation is left, for anybody."""
    alice, bob, carol = crowd(3)
    one = say(alice, "one", bob, carol)
    other = say(carol, "other", bob)
    two = say(bob, "two", alice, carol, in_reply_to_id=one)
    assert talks(carol) == [(two, [alice.name, bob.name], True), (other, [bob.name], False)]
    assert talks(bob)[0] == (two, [alice.name, carol.name], False)
    bob.delete(f"/api/v1/statuses/{two}")
    settles(carol, [(other, [bob.name], False), (one, [alice.name, bob.name], True)])
    settles(bob, [(other, [carol.name], True), (one, [alice.name, carol.name], False)])
    settles(alice, [(one, [bob.name, carol.name], True)])  # she did not read it; nor does Mastodon take that back
    alice.delete(f"/api/v1/statuses/{one}")
    for api, left in ((alice, []), (bob, [(other, [carol.name], True)]), (carol, [(other, [bob.name], False)])):
        settles(api, left)
    site.cli("check")


def test_other_people_are_another_conversation(crowd):
    """In one thread; and whoever joins sees what speaks to him."""
    alice, bob, carol = crowd(3)
    one = say(alice, "one", bob)
    two = say(bob, "two", alice, carol, in_reply_to_id=one)
    assert talks(alice) == [(two, [bob.name, carol.name], True), (one, [bob.name], False)]
    assert talks(carol) == [(two, [alice.name, bob.name], True)]
    assert carol.get(f"/api/v1/statuses/{one}", expect=404)


def test_to_oneself(crowd):
    """With nobody: apps are shown oneself, as Mastodon does."""
    alice, = crowd(1)
    one = say(alice, "milk, eggs")
    assert talks(alice) == [(one, [alice.name], False)]
    two = say(alice, "bread", alice, in_reply_to_id=one)
    assert talks(alice) == [(two, [alice.name], False)]


def test_edits(crowd, site):
    """New words change nothing but themselves. New people: the post is in another conversation, and who is left out has none."""
    alice, bob, carol, dave = crowd(4)
    one = say(alice, "one", bob)
    two = say(alice, "two", bob, in_reply_to_id=one)
    bob.post(f"{PATH}/{number(bob, two)}/read")
    alice.put(f"/api/v1/statuses/{two}", status=f"@{bob.name} two!")
    assert talks(bob) == [(two, [alice.name], False)]
    assert "two!" in bob.get(PATH)[0]["last_status"]["content"]
    alice.put(f"/api/v1/statuses/{two}", status=f"@{bob.name} @{carol.name} two!")
    assert talks(bob) == [(two, [alice.name, carol.name], False), (one, [alice.name], False)]
    assert talks(carol) == [(two, [alice.name, bob.name], True)]
    alice.put(f"/api/v1/statuses/{two}", status=f"@{dave.name} two!")
    settles(carol, [])
    settles(dave, [(two, [alice.name], True)])
    settles(bob, [(one, [alice.name], False)])
    settles(alice, [(two, [dave.name], False), (one, [bob.name], False)])
    alice.put(f"/api/v1/statuses/{two}", status="nobody any more")
    settles(dave, [])
    settles(alice, [(two, [alice.name], False), (one, [bob.name], False)])
    site.cli("check")


def test_blocks_and_mutes(crowd, site):
    """Of whom one wants to hear nothing one has no conversation, and none counts; among several only his posts are missing. All
    comes back."""
    alice, bob, carol = crowd(3)
    one = say(bob, "one", alice)
    two = say(carol, "two", alice, bob)
    three = say(bob, "three", alice, carol, in_reply_to_id=two)
    mine = [(three, [bob.name, carol.name], True), (one, [bob.name], True)]
    assert talks(alice) == mine
    for verb in ("block", "mute"):
        alice.post(f"/api/v1/accounts/{bob.id}/{verb}")
        settles(alice, [(two, [bob.name, carol.name], True)])
        assert len(alice.get(PATH, limit=1)) == 1
        alice.post(f"/api/v1/accounts/{bob.id}/un{verb}")
        settles(alice, [mine[0], (one, [bob.name], False)])
        alice.post(f"{PATH}/{number(alice, one)}/unread")
    alice.post(f"/api/v1/accounts/{bob.id}/mute", notifications=False)
    assert talks(alice) == mine, "only what he posts elsewhere is muted"
    alice.post(f"/api/v1/accounts/{bob.id}/unmute")
    bob.post(f"/api/v1/accounts/{alice.id}/block")
    settles(alice, [(two, [bob.name, carol.name], True)])
    settles(bob, [(three, [alice.name, carol.name], False)])
    four = say(alice, "four", bob)
    assert four not in [post for post, _, _ in talks(bob)]
    site.cli("check")
    bob.post(f"/api/v1/accounts/{alice.id}/unblock")
    settles(bob, [(four, [alice.name], False), (three, [alice.name, carol.name], False), (one, [alice.name], False)])


def test_muted_threads_are_no_news(crowd):
    """They come up, and do not count."""
    alice, bob = crowd(2)
    one = say(bob, "one", alice)
    alice.post(f"{PATH}/{number(alice, one)}/read")
    alice.post(f"/api/v1/statuses/{one}/mute")
    two = say(bob, "two", alice, in_reply_to_id=one)
    assert talks(alice) == [(two, [bob.name], False)]


def test_accounts_go(crowd, site):
    """A deleted person's posts go, and with them conversations that had no others; a suspended one's are out of sight."""
    alice, bob, carol = crowd(3)
    one = say(bob, "one", alice)
    mine = say(alice, "mine", bob)
    both = say(carol, "both", alice, bob)
    site.cli("user", "suspend", bob.name)
    wait_until(lambda: one not in [post for post, _, _ in talks(alice)], 10, "he is out of sight")
    assert (both, [carol.name], True) in talks(alice)
    site.cli("user", "restore", bob.name)
    wait_until(lambda: one in [post for post, _, _ in talks(alice)], 10, "he is back")
    site.cli("user", "delete", bob.name, "--yes")
    settles(alice, [(both, [carol.name], True), (mine, [alice.name], False)])
    site.cli("check")


def test_pages_and_cursors(crowd):
    """By Link alone, downwards and upwards, without hole or duplicate; nothing of others."""
    alice, bob = crowd(2)
    said = [say(bob, f"#{i}", alice) for i in range(7)][::-1]
    found = [[c["last_status"]["id"] for c in page] for page in alice.pages(PATH, limit=3)]
    assert found == [said[:3], said[3:6], said[6:]]
    up = [[c["last_status"]["id"] for c in page] for page in alice.pages(PATH, back=True, limit=3, min_id=1)]
    assert sum(reversed(up), []) == said
    assert alice.ask("GET", PATH, params={"max_id": 1}).links == {}
    assert alice.ask("GET", PATH, params={"limit": -1}).status == 400
    link = alice.ask("GET", PATH, params={"limit": 3}).links
    assert set(link) == {"next", "prev"} and alice.get(link["prev"][len(alice.server.url):]) == []


def test_page(crowd, site):
    """The same as a page: whom with, what was said last and by whom; the number in the menu; opening one reads it; two round trips."""
    alice, bob, carol = crowd(3)
    assert alice.browser.get("/messages").all(".notice") == []
    assert not alice.browser.get("/home").all(".nav [href=/messages] .badge")
    one = say(bob, "<b>one</b>", alice)
    two = say(carol, "two", alice, bob)
    mine = say(alice, "mine", carol)
    page = alice.browser.get("/messages")
    assert [said.text.strip() for said in page.all(".notice-about")] == [
        f"You: @{carol.name} mine", f"@{alice.name} @{bob.name} two", f"@{alice.name} <b>one</b>"]
    assert [[name in whom.text for name in (bob.name, carol.name)] for whom in page.all(".notice-what")] == [
        [False, True], [True, True], [True, False]]
    rows = page.all(".notice")
    assert ["notice-unread" in row["class"] for row in rows] == [False, True, True] and len(page.all(".notice-new")) == 2
    assert alice.browser.get("/home").one(".nav [href=/messages] .badge").text == "2"
    assert site.trips(page) <= 2
    alice.browser.get(f"/@{carol.name}/{mine}", expect=404)
    where = page.all(".notice-what")[1]["href"]
    assert where == f"/@{carol.name}/{two}"
    page = alice.browser.get(where)
    assert page.one(".nav [href=/messages] .badge").text == "1" and site.trips(page) <= 2, "it is read from this page on"
    settles(alice, [(mine, [carol.name], False), (two, [bob.name, carol.name], False), (one, [bob.name], True)])
    assert alice.browser.get("/home").one(".nav [href=/messages] .badge").text == "1"
    bob.browser.get(f"/@{bob.name}/{one}")
    assert talks(alice)[2][2], "nobody reads for others"
    alice.browser.action("/messages/dismiss", id=rows[2]["data-id"])
    assert len(alice.browser.get("/messages").all(".notice")) == 2 and talks(bob)[-1][0] == one
    assert not alice.browser.get("/home").all(".nav [href=/messages] .badge")


def test_very_many(crowd, site):
    """A thousand and one: the oldest is known no more, and the unread ones are counted rightly."""
    alice, bob = crowd(2)
    first = say(bob, "the first", alice)
    say(bob, "the second", alice)
    with site.engine() as engine:
        at = key("talks", alice.id)
        for i in range(1, 999):  # as if there were so many: between these two and what comes
            engine("ZADD", at, 1800000000000000 + i, i)
            engine("HSET", key("talkpeople", alice.id), i, bob.id)
        assert engine("ZCARD", at) == 1000
        say(bob, "the last", alice)
        assert engine("ZCARD", at) == 1000
        assert engine("ZSCORE", key("talkposts", alice.id), first) is None
        assert int(engine("HGET", key("homestate", alice.id), "talks")) == engine("ZCARD", key("talknews", alice.id)) == 2
        assert engine("ZCARD", key("talkposts", alice.id)) == 2


def test_check_mends(crowd, site):
    """What is lost, half, of nobody or too much."""
    alice, bob, carol = crowd(3)
    one = say(bob, "one", alice)
    two = say(carol, "two", alice)
    before = talks(alice)
    posts, all_, people = (key(word, alice.id) for word in ("talkposts", "talks", "talkpeople"))

    def mends(finding):
        assert finding in site.cli("check", "--repair", expect=None).stdout
        assert "talk_" not in site.cli("check", expect=None).stdout
        assert talks(alice) == before

    bob.post(f"{PATH}/{number(bob, one)}/read")
    with site.engine() as engine:
        engine("ZREM", posts, one)
        engine("ZREM", all_, number(bob, one))
        mends("talk_lacks")
        engine("ZADD", posts, 7, int(one) + 1)
        mends("talk_stranger")
        engine("ZADD", posts, 7, two)
        mends("talk_lacks")
        engine("ZADD", all_, 5, number(bob, one))
        mends("talk_astray")
        engine("ZADD", all_, 5, 77)
        mends("talk_astray")
        engine("HSET", people, 78, bob.id)
        mends("talk_astray")
        engine("HSET", key("homestate", alice.id), "talks", 9)
        mends("talk_count")


def test_posts_of_older_versions(site, crowd):
    """A server that begins on data whose direct posts were never gathered does so; nothing of them is news."""
    alice, bob, carol = crowd(3)
    one = say(bob, "one", alice)
    two = say(carol, "two", alice, bob)
    with site.engine() as engine:
        for api in (alice, bob, carol):
            engine("DEL", *(key(word, api.id) for word in ("talks", "talkposts", "talkpeople", "talknews")))
            engine("HDEL", key("homestate", api.id), "talks")
        engine("HDEL", "{0}:site", "talks")
    assert talks(alice) == []
    site.restart()
    wait_until(lambda: talks(alice) == [(two, [bob.name, carol.name], False), (one, [bob.name], False)], 30, "they are gathered")
    wait_until(lambda: len(talks(bob)) == 2 and len(talks(carol)) == 1, 30, "on all sides")
    site.cli("check")
