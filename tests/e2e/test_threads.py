"""Conversations: what stands above a post and below it, in order, as deep as it goes."""

import re

import pytest

from retwis_server import Browser, Server
from test_clocks import key, settled
from test_shared_engine import twin


@pytest.fixture(scope="module")
def site():
    with Server(engine="redis") as server:
        yield server


def depths(page):
    """How far each reply is indented."""
    return [int(re.search(r"depth-(\d+)", a["class"])[1]) for a in page.all(".thread article.status")]


def below(page):
    """Ids of the replies."""
    return [a["data-id"] for a in page.all(".thread article.status")]


def above(page):
    """Ids of the ancestors."""
    return [a["data-id"] for a in page.all(".thread-parent article.status")]


def answer(who, whom, post, text):
    """The id of an answer."""
    page = who.action("/posts", follow=False, status=text, in_reply_to_id=post, next=f"/@{whom.name}/{post}")
    assert page.status == 303
    return who.get(f"/@{who.name}/replies").ids[0]


def url(who, post):
    """Of a post."""
    return f"/@{who.name}/{post}"


def conversation(people, site):
    """first (a) <- one (b) <- deep (a) <- deeper (b); first <- two (b)."""
    alice, bob = people(site, "alice", "bob")
    first = alice.post("first")
    one = answer(bob, alice, first, "one")
    two = answer(bob, alice, first, "two")
    deep = answer(alice, bob, one, "deep")
    deeper = answer(bob, alice, deep, "deeper")
    return alice, bob, [first, one, two, deep, deeper]


def test_descendants_in_the_order_of_reading(people, site):
    """Each reply stands behind the one that it answers, and answers to one post by time."""
    alice, _, (first, one, two, deep, deeper) = conversation(people, site)
    page = alice.get(url(alice, first))
    assert below(page) == [one, deep, deeper, two] and depths(page) == [1, 2, 3, 1]
    assert page.first(".thread-people").text.startswith("2 ")
    assert site.cli("check", expect=None).returncode == 0


def test_ancestors_from_the_first(people, site):
    """All that stands above, the first on top; and below only what belongs to the post."""
    _, bob, (first, one, two, deep, deeper) = conversation(people, site)
    page = Browser(site).get(url(bob, deeper))
    assert above(page) == [first, one, deep] and below(page) == []
    page = Browser(site).get(url(bob, one))
    assert above(page) == [first] and below(page) == [deep, deeper] and depths(page) == [1, 2]
    page = Browser(site).get(url(bob, two))
    assert above(page) == [first] and below(page) == []


def test_one_in_the_middle_is_deleted(people, site):
    """What hangs below it stays reachable; the answer says that its parent is gone."""
    alice, bob, (first, one, two, deep, deeper) = conversation(people, site)
    bob.delete(one)
    page = alice.get(url(alice, deep))
    assert page.first(".thread-gone") is not None and below(page) == [deeper]
    page = alice.get(url(alice, first))
    assert below(page) == [two]
    alice.delete(first)
    page = bob.get(url(bob, two))
    assert page.first(".thread-gone") is not None
    settled(site)
    assert site.cli("check", expect=None).returncode == 0
    with site.engine() as engine:
        assert engine("ZCARD", key("thread", first)) == 3  # two, deep, deeper


def test_deep_conversation(people, site):
    """Deeper than any screen: indented to a bound, complete, and the nearest forty above."""
    alice = people(site, "alice")
    ids = [alice.post("0")]
    for i in range(1, 50):
        ids.append(answer(alice, alice, ids[-1], str(i)))
    seen, page = [], alice.get(url(alice, ids[0]))
    while True:
        seen += below(page)
        if not page.older:
            break
        page = alice.get(page.older)
    assert seen == ids[1:] and depths(page)[-1] == 6
    page = alice.get(url(alice, ids[-1]))
    assert above(page) == ids[9:49]
    assert page.first(".thread-earlier a")["href"] == url(alice, ids[9])
    assert page.first(".thread-people") is None


def test_pages_of_replies_both_ways(people, site):
    """No hole, none twice, also with replies below replies and with the cursor's post deleted meanwhile."""
    alice, bob = people(site, "alice", "bob")
    first = alice.post("first")
    order = []
    for i in range(15):
        one = answer(bob, alice, first, f"{i}")
        order += [one, answer(alice, bob, one, f"{i} a"), answer(bob, alice, one, f"{i} b")]
    pages = list(alice.pages(url(alice, first)))
    assert [i for page in pages for i in below(page)] == order and len(pages) == 3
    back, page = [], pages[-1]
    while page.newer:
        page = alice.get(page.newer)
        back = below(page) + back
    assert back == order[:40]
    cursor = pages[0].older
    alice.delete(order[19])  # the last of the first page
    assert set(below(alice.get(cursor))) <= set(order[20:])


def test_round_trips(people, site):
    """Two for a post that the process knows, or that begins a conversation; three for another."""
    alice, bob, (first, one, *_) = conversation(people, site)
    with Server(engine=site.redis) as fresh:
        nobody = Browser(fresh)
        assert fresh.trips(nobody.get(url(alice, first))) == 2
        assert fresh.trips(nobody.get(url(bob, one))) <= 2
    with Server(engine=site.redis) as fresh:
        assert fresh.trips(Browser(fresh).get(url(bob, one))) == 3


def test_conversation_of_an_older_version(people, site):
    """Its replies know no conversation: parent and direct answers are shown, and new answers stand among them."""
    alice, bob, (first, one, two, deep, deeper) = conversation(people, site)
    with site.engine() as engine:
        for post in (one, two, deep, deeper):
            assert engine("HDEL", key("post", post), "thread") == 1
        assert engine("DEL", key("thread", first)) == 1
    assert site.cli("check", expect=None).returncode == 0
    with Server(engine=site.redis) as fresh:
        nobody, alice, bob = Browser(fresh), twin(alice, fresh), twin(bob, fresh)
        assert below(nobody.get(url(alice, first))) == [one, two]
        assert above(nobody.get(url(bob, one))) == [first]
        new = answer(alice, bob, one, "new")
        assert below(nobody.get(url(bob, one))) == [deep, new]
        newer = answer(alice, alice, first, "newer")
        assert below(nobody.get(url(alice, first))) == [one, two, newer]
    assert site.cli("check", expect=None).returncode == 0


@pytest.mark.parametrize("damage", ["lost", "strange", "gone"])
def test_check_mends_conversations(people, site, damage):
    """An entry that is lost, says something else than its reply, or stands for nothing."""
    alice, bob, (first, one, two, deep, deeper) = conversation(people, site)
    uid = bob.cookie.split(".")[0]
    with site.engine() as engine:
        where, member = key("thread", first), f"{one} {first} {uid}"
        assert engine("ZSCORE", where, member) is not None
        if damage == "lost":
            engine("ZREM", where, member)
        elif damage == "strange":
            engine("ZREM", where, member)
            engine("ZADD", where, 0, f"{one} {two} {uid}")
        else:
            engine("ZADD", where, 0, f"{int(one) + 1} {first} {uid}")
        finding = {"lost": "index_lacks", "strange": "index_stranger", "gone": "index_gone"}[damage]
        assert finding in site.cli("check", "--repair", expect=None).stdout
        assert "index_" not in site.cli("check", expect=None).stdout
        assert engine("ZSCORE", where, member) is not None and engine("ZCARD", where) == 4
