"""Who follows whom: by one button, by a list of names, and the lists of both sides."""

import re
import time

import pytest

from retwis_server import PASSWORD, Browser, wait_until


def test_what_strangers_could_do(server, people, unique):
    """Profiles and posts say it, and lead back to themselves after signing up; nothing of it where nobody may, or for members."""
    alice = people(server, "alice")
    post = alice.post("come in")
    stranger = Browser(server)
    for path in (f"/@{alice.name}", f"/@{alice.name}/{post}"):
        page = stranger.get(path)
        assert [a["href"] for a in page.all(".join a")] == [f"/auth/sign_up?next={path}", f"/auth/sign_in?next={path}"]
        assert page.one("a.back")["href"] == "/public"
        assert alice.get(path).first(".join") is None and alice.get(path).one("a.back")["href"] == "/home"
    assert stranger.get(f"/@{alice.name}").one(".profile-action a")["href"] == f"/auth/sign_up?next=/@{alice.name}"
    name = unique("joiner")
    form = stranger.get(f"/auth/sign_up?next=/@{alice.name}").form("form.sign-up")
    page = stranger.submit(form, username=name, password=PASSWORD, password2=PASSWORD)
    assert page.path == f"/@{alice.name}" and page.first("form.follow") is not None


def test_suggestions_for_the_new(server, people):
    """People who have written, but not to few, each once, whom one does not follow; several are followed at once, or none."""
    bob, carol, dan, silent, new = people(server, "bob", "carol", "dan", "silent", "new")
    carol.action("/settings/profile", display_name="Carol", bio="Draws\nmaps of <b>tunnels</b>")
    for who, text in ((bob, "one #maps"), (bob, "two"), (carol, "three #Maps #tunnels"), (dan, "four"), (new, "five")):
        who.post(text)
    silent.action("/posts", status="for few", visibility="private", next="/home")
    new.follow(dan.name)
    assert new.get("/home").first(".empty a[href=/welcome]") is None
    page = people(server, "newer").get("/home")
    assert page.first(".empty a[href=/welcome]") is not None
    page = new.get("/welcome")
    mine = [n for n in page.names if n in (bob.name, carol.name, dan.name, silent.name, new.name)]
    assert mine == [carol.name, bob.name]
    assert page.one(f"[data-name={carol.name}] .bio-line").text.split() == ["Draws", "maps", "of", "<b>tunnels</b>"]
    assert [a.text for a in page.all(".tag-cloud a")][:2] == ["#maps", "#tunnels"]
    home = new.submit(page.form("form.welcome-follow"), names=[bob.name, carol.name])
    assert home.path == "/home" and home.flash == "You follow 2 people more." and len(home.ids) == 5
    assert not {bob.name, carol.name} & set(new.get("/welcome").names)
    home = new.action("/follow", next="/home")
    assert home.path == "/home" and not home.flash
    assert new.action("/follow", names="nobody_at_all", next="/home").path == "/home"
    assert new.action("/follow", names=bob.name, next="//elsewhere.example").path == "/follow"
    assert Browser(server).get("/welcome").path.startswith("/auth/sign_in")
    bob.action(f"/@{new.name}/block", next="/home")
    assert bob.name not in new.get("/welcome").names


def test_follow_and_unfollow(any_server, people):
    """The button of a profile, its other face, and both sides' numbers."""
    alice, bob = people(any_server, "alice", "bob")
    page = alice.get(f"/@{bob.name}")
    form = page.form(f"form.follow[data-name={bob.name}]")
    assert form.action == f"/@{bob.name}/follow" and page.one("main .profile .follow button")["data-following"] == "false"
    page = alice.submit(form)
    assert page.path == f"/@{bob.name}" and page.flash == f"You follow @{bob.name} now."
    assert alice.get(f"/@{bob.name}").flash == "", "said once"
    assert page.one("main .profile .follow button")["data-following"] == "true"
    assert page.counts == {"statuses": 0, "following": 0, "followers": 1}
    assert alice.get("/home").counts["following"] == 1
    assert alice.get(f"/@{alice.name}/following").names == [bob.name]
    assert bob.get(f"/@{bob.name}/followers").names == [alice.name]
    assert bob.get(f"/@{alice.name}").first(".badge") is not None, "follows you"
    page = alice.submit(page.form(f"form.follow[data-name={bob.name}]"))
    assert page.one("main .profile .follow button")["data-following"] == "false"
    assert page.flash == f"You no longer follow @{bob.name}."
    assert page.counts["followers"] == 0
    assert alice.get(f"/@{alice.name}/following").names == []
    assert bob.get(f"/@{bob.name}/followers").names == []


def test_again_changes_nothing(any_server, people):
    """Following twice is following once, and keeps its time; unfollowing twice likewise."""
    alice, bob = people(any_server, "alice", "bob")
    alice.follow(bob.name)
    since = alice.get(f"/@{alice.name}/following").one("main .account-row time")["datetime"]
    time.sleep(0.01)
    for name in (bob.name, bob.name.upper()):
        assert alice.follow(name).counts["followers"] == 1
    assert alice.get(f"/@{alice.name}/following").one("main .account-row time")["datetime"] == since
    for _ in range(2):
        assert alice.unfollow(bob.name).counts["followers"] == 0


def test_not_oneself(any_server, people):
    """No button, and no way around it."""
    alice = people(any_server, "alice")
    assert alice.get(f"/@{alice.name}").first("form.follow") is None
    page = alice.follow(alice.name)
    assert page.first(".flash-error") is not None
    assert page.counts["followers"] == 0 and page.counts["following"] == 0
    assert alice.follow_many(alice.name) == {alice.name: False}
    assert alice.get(f"/@{alice.name}").counts["followers"] == 0


def test_nobody(server, people, unique):
    """Names of nobody are not found; impossible ones either."""
    alice = people(server, "alice")
    for name in (unique("ghost"), "ab", "x" * 31, "a-b"):
        for verb in ("follow", "unfollow"):
            assert alice.action(f"/@{name}/{verb}", follow=False).status == 404, name
    assert alice.get("/home").counts["following"] == 0


def test_strangers_cannot(server, people):
    """No buttons for strangers; the form leads to signing in, and back to where it stood."""
    alice = people(server, "alice")
    stranger = Browser(server)
    assert stranger.get(f"/@{alice.name}").first("form.follow") is None
    page = stranger.action(f"/@{alice.name}/follow", follow=False, next=f"/@{alice.name}")
    assert page.status == 303 and page.headers["Location"].startswith("/auth/sign_in")
    assert stranger.get(f"/@{alice.name}").counts["followers"] == 0


def test_many_at_once(any_server, people, unique):
    """One call, any separators, each name with its own result; what can be done is done."""
    me, bob, carol, dave = people(any_server, "me", "bob", "carol", "dave")
    me.follow(dave.name)
    ghost = unique("ghost")
    names = f" @{bob.name},{carol.name.upper()}\n{ghost};;\t{me.name} , {dave.name}, {bob.name.upper()}, no-name,"
    page = me.submit(me.get(f"/@{me.name}/following").form("form.follow-many"), names=names)
    results = {e["data-name"].lower(): e["data-ok"] == "true" for e in page.all(".result")}
    assert results.pop("no-name", False) is False
    assert results == {bob.name.lower(): True, carol.name.lower(): True, ghost: False, me.name: False,
                       dave.name.lower(): True}
    assert set(page.names) == {bob.name, carol.name, dave.name}
    assert page.counts["following"] == 3
    for other in (bob, carol, dave):
        assert other.get(f"/@{other.name}/followers").names == [me.name]
    page = me.action("/follow?max_id=1", names=bob.name)  # a form's address has no place in the list below it
    assert page.status == 200 and set(page.names) == {bob.name, carol.name, dave.name}
    results = me.follow_many(f"{bob.name} {dave.name} {ghost}", path="/unfollow")
    assert results == {bob.name: True, dave.name: True, ghost: False}
    assert me.get(f"/@{me.name}/following").names == [carol.name]
    assert bob.get(f"/@{bob.name}/followers").names == []


def test_many_needs_names(server, people):
    """An empty list and one that is too long are refused on the form, which keeps it."""
    me = people(server, "me")
    assert "names" in me.action("/follow", names=" , ").errors
    long = ",".join(f"u{i}" for i in range(1001))
    page = me.action("/follow", names=long)
    assert page.status == 422 and "1000" in page.errors["names"]
    assert page.form("form.follow-many").values["names"] == long
    results = me.follow_many(",".join(f"u{i}" for i in range(1000)))
    assert len(results) == 1000 and not any(results.values())


def test_lists_with_times_and_paging(small_server, people):
    """Newest first, with the time of each relation; page by page both ways without hole or duplicate."""
    star, *crowd = people(small_server, "star", *["fan"] * 17)
    for fan in crowd:
        fan.follow(star.name)
        star.follow(fan.name)
    expected = [fan.name for fan in crowd[::-1]]
    stranger = Browser(small_server)
    for path in (f"/@{star.name}/followers", f"/@{star.name}/following"):
        pages = list(stranger.pages(path))
        assert [len(p.names) for p in pages] == [5, 5, 5, 2]
        assert [n for p in pages for n in p.names] == expected
        assert pages[0].newer is None
        times = [e["datetime"] for p in pages for e in p.all("main .account-row time")]
        assert len(times) == 17 and times == sorted(times, reverse=True)
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", t) for t in times)
        back, page = [], pages[-1]
        while page.newer:
            page = stranger.get(page.newer)
            back = page.names + back
        assert back == expected[:15]


def test_list_shows_how_one_stands(server, people):
    """In the list of another, each row has the button that fits."""
    me, star, known, unknown = people(server, "me", "star", "known", "unknown")
    star.follow_many(f"{known.name},{unknown.name},{me.name}")
    me.follow(known.name)
    page = me.get(f"/@{star.name}/following")
    buttons = {f["data-name"]: f.one("button")["data-following"] for f in page.all("main form.follow")}
    assert buttons == {known.name: "true", unknown.name: "false"}


def test_elapsed_time_of_a_relation(server, people):
    """In words, from the time that the engine keeps."""
    alice, bob = people(server, "alice", "bob")
    alice.follow(bob.name)
    with server.engine() as engine:
        for key in engine.keys(f"*:following:{uid(alice)}") + engine.keys(f"*:followers:{uid(bob)}"):
            member = engine("ZRANGE", key, 0, 0)[0]
            engine("ZADD", key, "XX", int((time.time() - 3 * 86400 - 5) * 1e6), member)
    assert "3 days ago" in alice.get(f"/@{alice.name}/following").one("main .account-row .when").text
    assert "3 days ago" in bob.get(f"/@{bob.name}/followers").one("main .account-row .when").text
    chinese = Browser(server, **{"Accept-Language": "zh-CN"})
    assert "3天前" in chinese.get(f"/@{bob.name}/followers").one("main .account-row .when").text.replace(" ", "")


def uid(browser):
    """The id of a signed-in user is the first half of his cookie."""
    return browser.cookie.split(".")[0]


def test_followers_in_common(any_server, people):
    """How many follow both; not for strangers, not on one's own page."""
    alice, bob, *crowd = people(any_server, "alice", "bob", "x", "y", "z")
    assert alice.get(f"/@{bob.name}").first(".common") is None
    crowd[0].follow_many(f"{alice.name},{bob.name}")
    assert "1 follower in common" in alice.get(f"/@{bob.name}").one(".common").text
    crowd[1].follow_many(f"{alice.name},{bob.name}")
    crowd[2].follow(bob.name)
    page = alice.get(f"/@{bob.name}")
    assert f"You and {bob.name} have 2 followers in common" in page.one(".common").text
    assert {a["href"] for a in page.all(".common a")} <= {f"/@{c.name}" for c in crowd[:2]}
    assert "2 followers" in bob.get(f"/@{alice.name}").one(".common").text
    assert alice.get(f"/@{alice.name}").first(".common") is None
    assert Browser(any_server).get(f"/@{bob.name}").first(".common") is None
    crowd[0].unfollow(alice.name)
    assert "1 follower in" in alice.get(f"/@{bob.name}").one(".common").text


def test_whom_both_know(any_server, people):
    """Followers whom one follows, and whom both follow: each by itself, nothing of it for strangers and on one's own page."""
    alice, bob, *crowd = people(any_server, "alice", "bob", "x", "y", "z")
    for one in crowd:
        alice.follow(one.name)
    crowd[0].follow(bob.name)
    bob.follow_many(f"{crowd[1].name},{crowd[2].name}")
    page = alice.get(f"/@{bob.name}")
    assert f"1 person you follow follows {bob.name}" in page.one(".common-known").text
    assert f"You and {bob.name} both follow 2 people" in page.one(".common-following").text
    assert page.first(".common") is None
    assert {a["href"] for a in page.all(".common-following a")} <= {f"/@{c.name}" for c in crowd[1:]}
    assert bob.get(f"/@{alice.name}").first(".common-known") is None
    assert "both follow 2 people" in bob.get(f"/@{alice.name}").one(".common-following").text
    for browser, name in ((alice, alice.name), (Browser(any_server), bob.name)):
        assert not browser.get(f"/@{name}").all(".common-known, .common-following"), name
    alice.unfollow(crowd[0].name)
    assert alice.get(f"/@{bob.name}").first(".common-known") is None


def test_followers_in_common_of_somebody_known(server, people):
    """Who has more than 1000 followers is told the least that it can be: only his newest are looked at."""
    alice, bob, *crowd = people(server, "alice", "bob", "x", "y")
    crowd[0].follow_many(f"{alice.name},{bob.name}")
    crowd[1].follow_many(f"{alice.name},{bob.name}")
    with server.engine() as engine:
        key = engine.one_key(f"*:followers:{uid(alice)}")
        many = [str(n) for i in range(1, 999) for n in (i, 1000 + i)]
        engine("ZADD", key, *many)
        assert f"You and {bob.name} have 2 followers in common" in alice.get(f"/@{bob.name}").one(".common").text
        engine("ZADD", key, "1", "9999")
        assert "at least 2 followers in common" in alice.get(f"/@{bob.name}").one(".common").text
        engine("ZREM", key, "9999", *many[1::2])


def test_numbers(any_server, people):
    """Counts are those of the lists after every change."""
    alice, bob, carol = people(any_server, "alice", "bob", "carol")
    alice.follow_many(f"{bob.name},{carol.name}")
    bob.follow(alice.name)
    alice.post("one")
    two = alice.post("two")
    stranger = Browser(any_server)
    assert stranger.get(f"/@{alice.name}").counts == {"statuses": 2, "following": 2, "followers": 1}
    alice.delete(two)
    alice.unfollow(carol.name)
    for path in (f"/@{alice.name}", f"/@{alice.name}/following", f"/@{alice.name}/followers"):
        assert stranger.get(path).counts == {"statuses": 1, "following": 1, "followers": 1}
    assert alice.get("/home").counts == {"statuses": 1, "following": 1, "followers": 1}


@pytest.mark.parametrize("path", ["/@{}", "/@{}/following", "/@{}/followers"])
def test_pages_of_nobody(server, unique, path):
    """Not found, in every form a name can have."""
    for name in (unique("ghost"), "ab", "a" * 31, "<b>"):
        Browser(server).get(path.format(name), expect=404)


def test_deleted_user_is_gone(server, people, unique):
    """From lists, homes and timelines; the name is not given again."""
    alice, leaver = people(server, "alice", "leaver")
    alice.follow(leaver.name)
    leaver.follow(alice.name)
    post = leaver.post("my last words")
    assert post in alice.get("/home").ids
    server.cli("user", "delete", leaver.name, "--yes")
    stranger = Browser(server)
    stranger.get(f"/@{leaver.name}", expect=404)
    stranger.get(f"/@{leaver.name}/{post}", expect=404)
    assert not leaver.is_signed_in()
    assert Browser(server).try_sign_in(leaver.name).status == 422
    assert post not in alice.get("/home").ids and post not in stranger.get("/public").ids
    wait_until(lambda: alice.get("/home").counts == {"statuses": 0, "following": 0, "followers": 0}, 5,
               "the relations of a deleted user end")
    assert stranger.get(f"/@{alice.name}/followers").names == []
    assert "username" in Browser(server).try_sign_up(leaver.name).errors
