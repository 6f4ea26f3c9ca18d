"""Lists of people: making and changing them, who may see them, and the timeline of each, whoever follows whom."""

import random

import pytest

from retwis_server import Browser, Server, wait_until

NOWHERE = "/lists/123456789012345678"


def add_form(browser, path):
    """The form of the page of members."""
    return browser.get(f"{path}/members").form("form.list-add")


# --- lists ---

def test_make_and_read(any_server, people):
    """The posts of those on it, newest first, at once and from the beginning; following does not matter."""
    me, bob, carol, dave = people(any_server, "me", "bob", "carol", "dave")
    bob.post("b1")
    me.follow(dave.name)
    path = me.make_list("Friends & <family>")
    assert me.get(path).one("h1").text == "Friends & <family>" and me.get(path).texts == []
    page = me.submit(add_form(me, path), names=f"@{bob.name}, {carol.name.upper()}\nno_such_name {bob.name}")
    assert {e["data-name"]: e["data-ok"] for e in page.all(".result")} == \
        {bob.name: "true", carol.name: "true", "no_such_name": "false"}
    carol.post("c1")
    dave.post("d1")
    bob.post("b2")
    me.post("m1")
    assert me.get(path).texts == ["b2", "c1", "b1"]
    assert me.get("/home").texts == ["m1", "d1"], "a list puts nothing into the home"
    assert me.get(f"{path}/members").names == [carol.name, bob.name]
    assert me.lists() == [("Friends & <family>", 2)]
    me.follow(bob.name)
    me.unfollow(bob.name)
    assert me.get(path).texts == ["b2", "c1", "b1"], "unfollowing takes nobody off"
    assert me.on_list(path, me.name) == {me.name: True}
    assert me.get(path).texts == ["m1", "b2", "c1", "b1"], "oneself may be on it"
