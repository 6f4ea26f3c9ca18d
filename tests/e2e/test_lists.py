"""Lists of people: making and changing them, who may see them, and the timeline of each, whoever follows whom."""

import os
import random
import re
import sys

import pytest

from retwis_server import REPOSITORY, Browser, Server, wait_until
from test_timelines import assert_pages

sys.path.insert(0, os.path.join(REPOSITORY, "tests", "bench"))

from fill import Fill, key  # noqa: E402

NOWHERE = "/lists/123456789012345678"
MOST_LISTS, MOST_MEMBERS, LONGEST = 50, 500, 60


def add_form(browser, path):
    """The form of the page of members."""
    return browser.get(f"{path}/members").form("form.list-add")


def number_of(path):
    """The id in the address of a list."""
    return int(path.rsplit("/", 1)[1])


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


def test_rename_and_delete(server, people):
    """By the forms of the page; deleting asks first, and leaves nothing behind."""
    me, bob = people(server, "me", "bob")
    path = me.make_list("Frends", bob.name)
    page = me.get(f"{path}/members")
    assert page.form("form.list-rename").values["title"] == "Frends"
    page = me.submit(page.form("form.list-rename"), title="  Friends ")
    assert page.path == f"{path}/members" and page.flash == "The list has its new title."
    assert me.lists() == [("Friends", 1)] and me.get(path).one("h1").text == "Friends"
    assert page.one("details.list-delete form.list-delete")["action"] == f"{path}/delete"
    page = me.submit(page.form("form.list-delete"))
    assert page.path == "/lists" and page.flash == "The list is deleted." and page.first(".empty")
    for again in (path, f"{path}/members"):
        assert me.get(again, expect=404)
    assert me.action(f"{path}/delete").status == 404
    with server.engine() as engine:
        assert not engine.keys(f"*:{number_of(path)}") and not engine.keys(f"*:lists:{me.cookie.split('.')[0]}")


@pytest.mark.parametrize("title, error", [
    ("", "Enter a title."), (" \t ", "Enter a title."), ("\u200b\u2060", "Enter a title."),
    ("x" * 61, "Keep it to 60 characters; this has 61."), ("\U0001f331" * 61, "Keep it to 60 characters; this has 61."),
    ("a\nb", "There are characters in it that cannot be shown."),
    ("a\u202eb", "There are characters in it that cannot be shown.")])
def test_titles_that_are_refused(server, people, title, error):
    """Beside the field, with the form as it was; nothing is made or changed."""
    me = people(server, "me")
    path = me.make_list("Good")
    for form, at in ((me.get("/lists").form("form.list-create"), "/lists"),
                     (me.get(f"{path}/members").form("form.list-rename"), f"{path}/members")):
        page = me.submit(form, title=title)
        assert page.status == 422 and page.errors == {"title": error}
        field = page.one("#field-title")
        assert field["aria-invalid"] == "true" and "autofocus" in field
        if title.strip() == title and "\n" not in title:
            assert field["value"] == (title or ("" if at == "/lists" else "Good"))
    assert me.lists() == [("Good", 0)]


def test_titles_that_pass(server, people):
    """Sixty characters of any script; what looks like markup is text."""
    me = people(server, "me")
    titles = ["\U0001f331" * LONGEST, "<b>&amp;\"'", "摄影", "\u05d0\u05d1"]
    for title in titles:
        me.make_list(title)
    assert [title for title, _ in me.lists()] == titles


def test_one_title_one_list(server, people):
    """A form that is sent twice makes one list, and two lists cannot be mistaken for each other; other people's do not
    matter."""
    me, bob = people(server, "me", "bob")
    first = me.make_list("Friends")
    assert me.make_list(" Friends") == first and bob.make_list("Friends") != first
    second = me.make_list("friends")
    page = me.submit(me.get(f"{second}/members").form("form.list-rename"), title="Friends")
    assert page.status == 422 and page.errors == {"title": "You already have a list with this title."}
    assert page.one("#field-title")["value"] == "Friends" and page.one("h1").text == "friends"
    assert me.action(f"{first}/rename", title="Friends").status == 200, "its own title is no other list's"
    assert [title for title, _ in me.lists()] == ["Friends", "friends"]


def test_most_lists(server, people):
    """Fifty; the next one is refused on the form, until one is deleted."""
    me = people(server, "me")
    for i in range(MOST_LISTS):
        assert me.action("/lists", follow=False, title=f"list {i}").status == 303
    page = me.action("/lists", title="one more")
    assert page.status == 409 and page.errors == {"title": "You have 50 lists, which is the limit."}
    assert page.one("#field-title")["value"] == "one more" and len(me.lists()) == MOST_LISTS
    assert me.make_list("list 7") == me.all_lists()[7], "one that is there is found all the same"
    me.action(f"{me.all_lists()[7]}/delete")
    me.make_list("one more")
    assert [title for title, _ in me.lists()][-1] == "one more"


# --- whose they are ---

def test_private(any_server, people):
    """For everybody else there is no such list, whatever he tries; whoever is on it learns nothing."""
    me, bob, carol = people(any_server, "me", "bob", "carol")
    path = me.make_list("Secret", bob.name)
    bob.post("mine")
    for other in (bob, carol):
        for address in (path, f"{path}/members", NOWHERE, f"{NOWHERE}/members"):
            page = other.get(address, expect=404)
            assert "Secret" not in page.text and page.one("h1").text == "Nothing here"
        for verb, fields in (("add", {"names": carol.name}), ("remove", {"names": bob.name}), ("delete", {}),
                             ("rename", {"title": "Taken over"}), ("add", {"names": carol.name, "next": "/home"})):
            for address in (path, NOWHERE):
                assert other.action(f"{address}/{verb}", **fields).status == 404, (verb, address)
        assert other.lists() == [] and "Secret" not in other.get(f"/@{me.name}").text
    stranger = Browser(any_server)
    for address in ("/lists", path, f"{path}/members"):
        assert stranger.get(address).path.startswith("/auth/sign_in?next=")
    assert me.lists() == [("Secret", 1)] and me.get(path).texts == ["mine"]
    assert me.get(f"{path}/members").names == [bob.name]


def test_forms_need_the_token(server, people):
    """Nobody changes a list from another site."""
    me, bob = people(server, "me", "bob")
    path = me.make_list("Mine", bob.name)
    for at, fields in (("/lists", {"title": "x"}), (f"{path}/add", {"names": me.name}), (f"{path}/delete", {}),
                       (f"{path}/remove", {"names": bob.name}), (f"{path}/rename", {"title": "x"})):
        for token in ({}, {"csrf_token": "forged"}, {"csrf_token": bob.token()}):
            assert me.post_form(at, {**fields, **token}).status == 403, at
    assert me.lists() == [("Mine", 1)]


# --- who is on them ---

def test_members_by_buttons(server, people):
    """Each row of the page takes one off and comes back to it; the profile has a button for each list."""
    me, bob, carol = people(server, "me", "bob", "carol")
    path, other = me.make_list("One", f"{bob.name} {carol.name}"), me.make_list("Two")
    page = me.submit(me.get(f"{path}/members").form(f"form.list-remove[data-name={bob.name}]"))
    assert page.path == f"{path}/members" and page.names == [carol.name]
    assert page.flash == f"@{bob.name} is not on the list any more."

    def buttons(page):
        return {f.one("button").text: f.one("button")["aria-pressed"] for f in page.all("form.on-list")}

    assert buttons(me.get(f"/@{carol.name}")) == {"One": "true", "Two": "false"}
    page = me.submit(me.get(f"/@{bob.name}").form(f"form.on-list[data-id={number_of(other)}]"))
    assert page.path == f"/@{bob.name}" and buttons(page) == {"One": "false", "Two": "true"}
    assert page.flash == f"@{bob.name} is on the list."
    page = me.submit(page.form(f"form.on-list[data-id={number_of(other)}]"))
    assert buttons(page) == {"One": "false", "Two": "false"} and me.lists() == [("One", 1), ("Two", 0)]
    assert buttons(me.get(f"/@{me.name}")) == {} and buttons(Browser(server).get(f"/@{bob.name}")) == {}
    assert buttons(bob.get(f"/@{carol.name}")) == {}


def test_what_came_of_each_name(server, people):
    """Put on, on it already, unknown; the same again changes nothing. Empty and too many are refused."""
    me, bob, carol = people(server, "me", "bob", "carol")
    path = me.make_list("All")

    def say(names, verb="add"):
        return {e["data-name"]: e.one("span").text.split(" ", 1)[1]
                for e in me.action(f"{path}/{verb}", names=names).all(".result")}

    on, already, unknown = "They are on the list now.", "They were on the list already.", "There is nobody of that name."
    assert say(f"{bob.name},no_such_person") == {bob.name: on, "no_such_person": unknown}
    assert say(f"{bob.name};{carol.name}") == {bob.name: already, carol.name: on}
    off = "They are not on the list any more."
    for _ in range(2):
        assert say(f"{bob.name}\nno_such_person", "remove") == {bob.name: off, "no_such_person": unknown}
    assert me.get(f"{path}/members").names == [carol.name]
    for names, error in ((" ,; ", "Enter at least one user name."), ("x," * 501, "At most 500 names at once, please.")):
        page = me.submit(add_form(me, path), names=names)
        assert page.status == 422 and page.errors == {"names": error} and page.names == [carol.name]
        assert page.form("form.list-add").values["names"].strip() == names.strip()
        assert page.form("form.list-rename").values["title"] == "All"
    assert me.action(f"{path}/add", names="no_such_person", next="/home").status == 404
    assert me.action(f"{path}/add", names=bob.name, next="https://elsewhere.example/").path.startswith(path)


def test_most_members():
    """Five hundred; whoever would be too many is refused, and nobody is put on it by halves."""
    with Server(engine="redis") as server:
        me = Browser(server).sign_up("mel")
        names = [f"member_{n}" for n in range(MOST_MEMBERS + 1)]
        with Fill(server.redis.socket) as f:
            f.people(names)
        path = me.make_list("Everybody")
        assert all(me.on_list(path, ",".join(names[:MOST_MEMBERS - 1])).values())
        for last in (names[-2:], names[-3:]):
            page = me.submit(add_form(me, path), names=",".join(last))
            assert page.status == 409 and page.one("[data-count=members]").text == str(MOST_MEMBERS - 1)
            assert page.errors == {"names": "A list holds 500 people at most. Nobody was put on it."}
        assert all(me.on_list(path, f"{names[0]},{names[-1]},{names[-1]}").values())
        page = me.action(f"{path}/add", names=names[-2], next=f"/@{names[-2]}")
        assert page.flash == "A list holds 500 people at most." and page.path == f"/@{names[-2]}"
        assert me.lists() == [("Everybody", MOST_MEMBERS)]
        shown = [n for page in me.pages(f"{path}/members") for n in page.names]
        assert shown == names[-1:] + names[MOST_MEMBERS - 2::-1], "the last one first"


def test_pages_of_members(small_server, people):
    """By the time they were put on it, both ways, nobody twice."""
    me, *crowd = people(small_server, *["one"] * 13)
    path = me.make_list("Crowd", ",".join(b.name for b in crowd))
    names = [b.name for b in crowd[::-1]]
    pages = list(me.pages(f"{path}/members"))
    assert [p.names for p in pages] == [names[:5], names[5:10], names[10:]]
    assert me.get(pages[2].newer).names == names[5:10] and me.get(me.get(pages[2].newer).newer).names == names[:5]
    assert me.get(f"{path}/members?max_id=nonsense", expect=None).status == 400


# --- the timeline ---

def test_paging(small_server, people):
    """Down and up again over many pages, whoever is followed; cursors of any number."""
    me, bob, carol, dave = people(small_server, "me", "bob", "carol", "dave")
    me.follow(dave.name)
    path = me.make_list("Pages", f"{bob.name},{carol.name}")
    ids = []
    for i in range(33):
        author = (dave, bob, carol, bob)[i * 7 % 4]
        post = author.post(f"{i}")
        if author is not dave:
            ids.insert(0, post)
    assert_pages(me, path, ids, 5)
    assert me.get(f"{path}?max_id={int(ids[3]) + 1}").ids == ids[3:8]
    assert me.get(f"{path}?min_id={ids[9]}").ids == ids[4:9]
    assert me.get(f"{path}?since_id={ids[2]}").ids == ids[:2]
    assert me.get(f"{path}?max_id={ids[-1]}").ids == []
    for bad in ("-1", "abc", "9" * 30):
        assert me.get(f"{path}?max_id={bad}", expect=None).status == 400
    for bad in ("/lists/7", "/lists/abc", f"{path}x"):
        assert me.get(bad, expect=None).status == 404


def test_deleted_posts_leave_full_pages(small_server, people):
    """A deleted post is gone at once, and the next ones move up."""
    me, bob, carol = people(small_server, "me", "bob", "carol")
    path = me.make_list("Full", f"{bob.name},{carol.name}")
    ids = [(bob, carol)[i % 2].post(f"{i}") for i in range(22)][::-1]
    me.get(path)
    for i in (0, 2, 3, 6, 7, 8, 9, 10, 14):
        (carol, bob)[i % 2].delete(ids[i])
    ids = [post for i, post in enumerate(ids) if i not in (0, 2, 3, 6, 7, 8, 9, 10, 14)]
    assert me.get(path).ids == ids[:5]
    assert_pages(me, path, ids, 5)


def test_deleted_member(small_server, people):
    """Whoever is deleted is gone from all pages at once, however much he wrote, and then from the list itself."""
    me, bob, carol = people(small_server, "me", "bob", "carol")
    path = me.make_list("Some", f"{bob.name},{carol.name}")
    ids = [bob.post("first")]
    for i in range(40):
        carol.post_quickly(f"{i}")
    ids.insert(0, bob.post("last"))
    assert len(me.get(path).ids) == 5
    small_server.cli("user", "delete", carol.name, "--yes")
    assert me.get(path).ids == ids
    assert me.get(f"{path}/members").names == [bob.name]
    uid = int(carol.cookie.split(".")[0])
    with small_server.engine() as engine:
        wait_until(lambda: engine("ZSCORE", key("members", number_of(path)), uid) is None, 5, "she is taken off")
    assert me.lists() == [("Some", 1)]
    assert me.on_list(path, carol.name) == {carol.name: False}


def test_page_of_deleted_members(small_server, people):
    """A page on which nobody is left still leads to the others."""
    me, *crowd = people(small_server, *["gone"] * 8)
    path = me.make_list("Few", ",".join(b.name for b in crowd))
    for b in crowd[2:]:
        small_server.cli("user", "delete", b.name, "--yes")
    pages = list(me.pages(f"{path}/members"))
    assert [n for p in pages for n in p.names] == [crowd[1].name, crowd[0].name]


def test_exclusive(any_server, people):
    """Whose posts stand in an exclusive list leaves home at once, and comes back; the form shows how it is set."""
    me, bob = people(any_server, "me", "bob")
    me.follow(bob.name)
    bob.post("quiet, please")
    path = me.make_list("Apart", bob.name)
    assert me.get("/home").texts == ["quiet, please"]
    page = me.submit(me.get(f"{path}/members").form("form.list-set"), exclusive="true", replies_policy="none")
    assert page.path == f"{path}/members" and page.all("form.list-set input[checked]")
    assert page.form("form.list-set").values["replies_policy"] == "none"
    bob.post("again")
    for _ in range(2):
        assert me.get("/home").texts == [] and me.get(path).texts == ["again", "quiet, please"]
    me.on_list(path, bob.name, "remove")
    assert me.get("/home").texts == ["again", "quiet, please"]


def test_deleted_owner(server, people):
    """His lists go with him."""
    me, bob = people(server, "me", "bob")
    ids = [number_of(me.make_list(title, bob.name)) for title in ("one", "two", "three")]
    server.cli("user", "delete", me.name, "--yes")
    uid = me.cookie.split(".")[0]
    with server.engine() as engine:
        wait_until(lambda: not engine.keys(f"*:lists:{uid}"), 10, "the lists are gone")
        assert not [k for i in ids for k in engine.keys(f"*:{i}")]
    assert bob.get(f"/@{bob.name}").status == 200


def test_switching_the_mode():
    """Nothing depends on it."""
    with Server(engine="redis", mode="push") as server:
        me, bob = (Browser(server).sign_up(name) for name in ("mel", "bob"))
        path = me.make_list("Always", "bob")
        ids = []
        for mode in ("pull", "hybrid", "push"):
            ids.insert(0, bob.post(mode))
            server.restart(RETWIS_TIMELINE_MODE=mode)
            ids.insert(0, bob.post(f"in {mode}"))
            assert me.get(path).ids == ids


def play(rng, me, authors, page, steps):
    """Any history; at each step a page at any place is that of a naive model: who is on the list now, all that he ever
    said."""
    everybody, members, posts = {b.name: b for b in (me, *authors)}, set(), []
    path = me.make_list("Model")
    for _ in range(steps):
        name, kind = rng.choice(list(everybody)), rng.random()
        if kind < 0.5:
            posts.insert(0, (everybody[name].post("x"), name))
        elif kind < 0.6 and posts:
            post, author = posts.pop(min(rng.randrange(len(posts)), rng.randrange(len(posts))))
            everybody[author].delete(post, follow=False)
        elif kind < 0.75:
            me.on_list(path, name)
            members.add(name)
        elif kind < 0.8:
            me.on_list(path, name, "remove")
            members.discard(name)
        elif kind < 0.85 and name != me.name:
            rng.choice([me.follow, me.unfollow])(name)
        truth = [post for post, author in posts if author in members]
        assert me.get(path).ids == truth[:page]
        cursor = int(rng.choice(posts)[0]) if posts else 10**17
        if rng.random() < 0.5:
            assert me.get(f"{path}?max_id={cursor}").ids == [i for i in truth if int(i) < cursor][:page]
        else:
            assert me.get(f"{path}?min_id={cursor}").ids == [i for i in truth if int(i) > cursor][-page:]
    assert_pages(me, path, [post for post, author in posts if author in members], page)
    assert sorted(n for p in me.pages(f"{path}/members") for n in p.names) == sorted(members)


def test_random_histories(small_server, people, unique):
    """Few people, in every mode."""
    me, *authors = people(small_server, "me", *["author"] * 4)
    play(random.Random(os.environ.get("RETWIS_SEED", unique("seed"))), me, authors, 5, 60)


@pytest.mark.parametrize("mode", ["push", "pull"])
def test_random_histories_of_many(mode, unique):
    """Many people and short pages: most members are not asked for the first page."""
    with Server(mode=mode, env={"RETWIS_TIMELINE_PAGE": "2"}) as server:
        me, *authors = [Browser(server).sign_up(f"person_{i}") for i in range(16)]
        play(random.Random(os.environ.get("RETWIS_SEED", unique("seed"))), me, authors, 2, 120)


# --- many members: asked without a script ---

NAMES = [f"author_{n}" for n in range(150)]


@pytest.fixture(name="crowd", scope="module", params=["push", "pull"])
def fixture_crowd(request):
    """150 authors, half of whom never posted, one with 60 posts in a row, on one list; the truth, newest first."""
    with Server(engine="redis", mode=request.param, env={"RETWIS_TIMELINE_PAGE": "40"}) as server:
        me = Browser(server).sign_up("mel")
        with Fill(server.redis.socket) as f:
            authors = f.people(NAMES)
            truth = f.posts(authors[:75], NAMES[:75], 6)
            truth += f.posts(authors[7:8], NAMES[7:8], 60)
            truth += f.posts(authors[:75], NAMES[:75], 2)
        yield server, me, me.make_list("Crowd", ",".join(NAMES)), [str(n) for n in reversed(truth)]


def test_many_members(crowd):
    """All pages, both ways."""
    _, me, path, truth = crowd
    assert me.timeline_ids(path) == truth
    for at in (1, 39, 100, 160, 215, 300, len(truth) - 1):
        assert me.get(f"{path}?max_id={truth[at]}").ids == truth[at + 1:at + 41]
        assert me.get(f"{path}?min_id={truth[at]}").ids == truth[max(0, at - 40):at]


def test_only_those_with_something_to_show_are_asked(crowd):
    """Who was on the list last time is remembered: then the first page asks about as many members as it has posts. What they
    wrote since, deleted since, and who was put on it or taken off since, is there all the same."""
    server, me, path, truth = crowd
    with server.engine() as engine:
        def asked(address, expected):
            before = ranges(engine)
            page = me.get(address)
            assert page.ids == expected, address
            return ranges(engine) - before

        me.get(path)
        assert asked(path, truth[:40]) < 60
        assert asked(f"{path}?max_id={truth[0]}", truth[1:41]) < 90, "of 150, half never posted"
        server.restart()
        assert asked(path, truth[:40]) > 150
        writer = Browser(server).sign_up("writer")
        post = writer.post("before")
        me.on_list(path, writer.name)
        assert asked(path, [post] + truth[:39]) > 150, "the guess is wrong"
        later = writer.post("after")
        assert asked(path, [later, post] + truth[:38]) < 60
        writer.delete(later)
        assert asked(path, [post] + truth[:39]) < 60
        me.on_list(path, writer.name, "remove")
        for _ in range(2):
            asked(path, truth[:40])
        engine("DEL", *[k for k in engine.keys("*:newest:*") if int(k.rsplit(":", 1)[1]) >> 6 & 1])
        asked(path, truth[:40])


def ranges(engine):
    """How many sorted sets the engine has read."""
    found = re.search(r"cmdstat_zrange:calls=(\d+)", engine("INFO", "commandstats").decode())
    return int(found[1])


def test_two_round_trips_whatever_happens(people):
    """A list that a script can ask takes no third when posts of its first page are gone and others move up."""
    with Server(engine="redis", env={"RETWIS_TIMELINE_PAGE": "5"}) as server:
        me, bob, carol = people(server, "me", "bob", "carol")
        path = me.make_list("Two", f"{bob.name},{carol.name}")
        ids = [(bob, carol)[i % 2].post(f"{i}") for i in range(20)]
        server.restart()
        for _ in range(3):
            page = me.get(path)
            assert server.trips(page) <= 2 and page.ids == ids[:-6:-1]
            for _ in range(4):  # more than a page loads beyond its end
                (bob, carol)[len(ids) % 2 == 0].delete(ids.pop(), follow=False)
            page = me.get(path)
            assert server.trips(page) <= 2 and page.ids == ids[:-6:-1]


def test_newest_that_are_gone():
    """Members whose newest posts were deleted take the place of others on the first page only until it is filled."""
    with Server(engine="redis", env={"RETWIS_TIMELINE_PAGE": "5"}) as server:
        me = Browser(server).sign_up("mel")
        with Fill(server.redis.socket) as f:
            authors = f.people(NAMES[:100])
            truth = f.posts(authors, NAMES[:100], 2)
        path = me.make_list("Gone", ",".join(NAMES[:100]))
        with server.engine() as engine:
            for author in authors[:30]:  # as if each had written something that is gone
                engine("SET", key("newest", author), str(truth[-1] + (1 << 30) + author % 1000))
        ids = [str(n) for n in reversed(truth)]
        for _ in range(3):
            assert me.get(path).ids == ids[:5]
        assert me.timeline_ids(path, 20) == ids[:100]


def test_round_trips_of_many(crowd):
    """Two; a third for posts that a process does not remember."""
    server, me, path, truth = crowd
    me.get(path)
    for address in (path, f"{path}?max_id={truth[50]}"):
        me.get(address)
        assert server.trips(me.get(address)) <= 2
    server.restart()
    me.get("/about")
    assert server.trips(me.get(path)) <= 3
    assert server.trips(me.get(path)) <= 2
    assert server.trips(me.get(f"{path}/members")) <= 2


def test_chinese(server, people):
    """The pages are in the language of the visitor."""
    me = people(server, "me")
    me.session.headers["Accept-Language"] = "zh-CN"
    path = me.make_list("摄影", me.name)
    assert me.get("/lists").one("h1").text == "列表" and me.get(f"{path}/members").form("form.list-add")
    assert me.action("/lists", title="").errors == {"title": "请输入名称。"}
