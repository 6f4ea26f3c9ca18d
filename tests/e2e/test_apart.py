"""Blocking, muting and taking followers away, as the forms of the pages do it, without scripts."""

import pytest

from retwis_server import Browser, wait_until


def menu(browser, name, form):
    """Sends a form of the menu on somebody's profile."""
    page = browser.get(f"/@{name}")
    button = page.first(f"details.person-menu form button.{form}")
    if button is not None:
        return browser.submit(page.form("details.person-menu form.person-acts"), action=button.get("formaction"))
    return browser.submit(page.form(f"details.person-menu form.{form}"))


def test_block_and_unblock(any_server, people):
    """Both lose the other at once: follows, posts in home, profile and lists; the posts of others stay."""
    alice, bob, carol = people(any_server, "alice", "bob", "carol")
    for one, other in ((alice, bob), (bob, alice), (alice, carol), (bob, carol)):
        one.follow(other.name)
    posts = {name: who.post(f"by {name}") for name, who in (("alice", alice), ("bob", bob), ("carol", carol))}
    assert posts["bob"] in alice.get("/home").ids and posts["alice"] in bob.get("/home").ids
    page = menu(alice, bob.name, "block")
    assert page.path == f"/@{bob.name}" and page.flash == f"@{bob.name} is blocked. You do not see each other any more."
    assert page.first("form.follow") is None and page.first("main .profile form.unblock") is not None
    assert page.first("button.block") is None and page.ids == []
    assert "You have blocked" in page.one(".apart").text
    assert page.counts["followers"] == 0 and page.counts["following"] == 1
    for me, other in ((alice, bob), (bob, alice)):
        assert me.get("/home").ids == [posts["carol"]] + [posts[n] for n in ("alice", "bob") if posts[n] in me.get("/home").ids]
        assert not set(me.get("/home").names) & {other.name}
        assert other.name not in me.get(f"/@{me.name}/following").names + me.get(f"/@{me.name}/followers").names
    seen = bob.get(f"/@{alice.name}")
    assert "has blocked you" in seen.one(".apart").text and seen.ids == [] and seen.first("form.follow") is None
    refused = bob.action(f"/@{alice.name}/follow")
    assert refused.first(".flash-error") is not None and refused.counts["followers"] == 0
    assert bob.follow_many(f"{alice.name},{carol.name}") == {alice.name: False, carol.name: True}
    assert alice.get("/settings/blocks").names == [bob.name] and bob.get("/settings/blocks").names == []
    page = alice.submit(alice.get("/settings/blocks").form(".account-row form.unblock"))
    assert page.path == "/settings/blocks" and page.names == [] and page.first(".empty") is not None
    assert alice.get(f"/@{bob.name}").ids == [posts["bob"]]
    assert bob.follow(alice.name).counts["followers"] == 1


def test_mute_and_unmute(any_server, people):
    """Home lacks him, his own page does not; he learns nothing, and the follow stays."""
    alice, bob = people(any_server, "alice", "bob")
    alice.follow(bob.name)
    post = bob.post("some words")
    page = menu(alice, bob.name, "mute")
    assert page.flash == f"@{bob.name} is muted. They do not learn of it."
    assert "Muted" in [b.text for b in page.all(".badge")] and page.ids == [post]
    assert post not in alice.get("/home").ids
    listed = alice.get("/settings/mutes")
    assert listed.names == [bob.name] and listed.first(".account-row time") is None
    assert bob.get(f"/@{alice.name}").first(".apart") is None and bob.get(f"/@{alice.name}").first(".badge") is not None
    page = menu(alice, bob.name, "unmute")
    assert page.flash == f"@{bob.name} is not muted any more." and post in alice.get("/home").ids
    assert alice.get("/settings/mutes").names == []


def test_mute_ends(any_server, people):
    """It is over by itself when its time has come, and until then the page says when that is."""
    alice, bob = people(any_server, "alice", "bob")
    alice.follow(bob.name)
    post = bob.post("later")
    alice.action(f"/@{bob.name}/mute", duration="3600", notifications="true")
    assert post not in alice.get("/home").ids
    assert alice.get("/settings/mutes").first(".account-row time") is not None
    alice.action(f"/@{bob.name}/mute", duration="1", notifications="true")
    wait_until(lambda: post in alice.get("/home").ids, 20, "it is over")
    assert alice.get("/settings/mutes").names == []
    assert menu(alice, bob.name, "mute").first("form.unmute") is not None


def test_remove_a_follower(any_server, people):
    """He does not follow any more, and may come back."""
    alice, bob = people(any_server, "alice", "bob")
    bob.follow(alice.name)
    page = menu(alice, bob.name, "follower-remove")
    assert page.flash == f"@{bob.name} does not follow you any more." and page.first("button.follower-remove") is None
    assert alice.get(f"/@{alice.name}/followers").names == []
    assert bob.follow(alice.name).counts["followers"] == 1


def test_pages_of_many(server, people, unique):
    """More than fit on one page, in order, whole in both directions."""
    alice = people(server, "alice")
    names = [unique("many") for _ in range(45)]
    for name in names:
        Browser(server).sign_up(name)
        alice.action(f"/@{name}/block", follow=False)
    seen, page = [], alice.get("/settings/blocks")
    while page:
        seen.append(page.names)
        page = alice.get(page.older) if page.older else None
    assert sum(seen, []) == names[::-1] and [len(s) for s in seen] == [20, 20, 5]
    last = alice.get("/settings/blocks")
    for _ in range(2):
        last = alice.get(last.older)
    assert alice.get(last.newer).names == seen[1]


@pytest.mark.parametrize("verb", ["block", "unblock", "mute", "unmute", "remove"])
def test_not_oneself_nor_nobody(server, people, verb):
    """There is no menu on one's own page, and no way around it."""
    alice = people(server, "alice")
    assert alice.get(f"/@{alice.name}").first("details.person-menu") is None
    assert alice.action(f"/@{alice.name}/{verb}").first(".flash-error") is not None
    assert alice.action(f"/@nobody_at_all/{verb}", follow=False).status == 404
    assert alice.get("/settings/blocks").names == [] and alice.get("/settings/mutes").names == []
    assert Browser(server).get(f"/@{alice.name}").first("details.person-menu") is None
