"""Home, public, profile and tag timelines: what is on them, in which order, page by page. Once per mode."""

import concurrent.futures
import itertools
import random
import re
import threading
import time
from datetime import datetime, timezone

import pytest

from retwis_server import Browser, Server, wait_until


def test_home_is_own_and_followed(any_server, people):
    """Newest first, whoever wrote it; nobody else's."""
    me, bob, carol, stranger = people(any_server, "me", "bob", "carol", "stranger")
    me.follow_many(f"{bob.name},{carol.name}")
    expected = []
    for i, author in enumerate([me, bob, stranger, carol, bob, me, carol, stranger]):
        author.post(f"{i}")
        if author is not stranger:
            expected.insert(0, (str(i), author.name))
    assert [(s.text, s.author) for s in me.get("/home").statuses] == expected
    assert me.get("/home").texts == [text for text, _ in expected], "the second visit shows the same"


def test_follow_brings_old_posts_in(any_server, people):
    """Whoever is followed is there with what he said before, at its place; unfollowed, all of it goes."""
    me, bob = people(any_server, "me", "bob")
    bob.post("b1")
    me.post("m1")
    bob.post("b2")
    me.post("m2")
    assert me.get("/home").texts == ["m2", "m1"]
    me.follow(bob.name)
    assert me.get("/home").texts == ["m2", "b2", "m1", "b1"]
    bob.post("b3")
    assert me.get("/home").texts == ["b3", "m2", "b2", "m1", "b1"]
    me.unfollow(bob.name)
    assert me.get("/home").texts == ["m2", "m1"]
    bob.post("b4")
    assert me.get("/home").texts == ["m2", "m1"]
    me.follow(bob.name)
    assert me.get("/home").texts == ["b4", "b3", "m2", "b2", "m1", "b1"]


def test_first_visit_comes_late(any_server, people):
    """A home that nobody looked at for a long time has everything all the same."""
    me, bob = people(any_server, "me", "bob")
    me.follow(bob.name)
    for i in range(3):
        bob.post(f"{i}")
    with any_server.engine() as engine:
        uid = me.cookie.split(".")[0]
        engine("DEL", *engine.keys(f"*:home:{uid}"), f"{{{0}}}:none")
    assert me.get("/home").texts == ["2", "1", "0"]
    bob.post("3")
    assert me.get("/home").texts == ["3", "2", "1", "0"]


def test_empty_home_says_what_to_do(server, people):
    """Somebody new is not left with a blank page."""
    me = people(server, "me")
    page = me.get("/home")
    assert [page.one(a["href"]) for a in page.all(".empty a") if a["href"].startswith("#")]
    me.post("no longer")
    assert me.get("/home").first(".empty") is None


def test_profile_has_own_posts_only(any_server, people):
    """Whatever its owner follows."""
    me, bob = people(any_server, "me", "bob")
    me.follow(bob.name)
    me.post("mine")
    bob.post("his")
    for reader in (me, bob, Browser(any_server)):
        assert reader.get(f"/@{me.name}").texts == ["mine"]


def test_public_needs_no_account(any_server, people):
    """Everybody's posts, newest first, for everybody."""
    alice, bob = people(any_server, "alice", "bob")
    ids = [a.post(f"public {i}") for i, a in enumerate([alice, bob, alice])]
    for reader in (Browser(any_server), alice):
        assert reader.get("/public").ids[:3] == ids[::-1]
    assert Browser(any_server).get("/public").first("article button") is None


def test_latest_users(any_server, people):
    """The newest ten beside the public timeline; five on one's own home, oneself not among them."""
    crowd = people(any_server, *["late"] * 11)
    names = [b.name for b in crowd[::-1]]

    def latest(browser, path):
        return [e["data-name"] for e in browser.get(path).all(".latest .account-row")]

    assert latest(Browser(any_server), "/public") == names[:10]
    assert latest(crowd[-1], "/home") == names[1:6]
    crowd[-1].follow(names[1])
    row = crowd[-1].get("/home").first(f".latest .account-row[data-name={names[1]}] button")
    assert row["data-following"] == "true"


# --- paging ---

def walk_back(browser, page, most=1000):
    """From this page up to the first, by the links to newer posts; all ids, newest first, of the pages on the way."""
    ids = []
    while page.newer and most:
        page = browser.get(page.newer)
        ids = page.ids + ids if not ids else page.ids + ids
        most -= 1
    return ids


def assert_pages(browser, path, expected, size):
    """Down and up again: full pages, nothing missing, nothing twice."""
    pages = list(browser.pages(path, len(expected) // size + 3))
    assert [i for p in pages for i in p.ids] == expected
    assert all(len(p.ids) == size for p in pages[:-1]) and len(pages[-1].ids) <= size
    assert pages[0].newer is None and pages[-1].older is None
    assert len(pages) == max(1, -(-len(expected) // size))
    up = walk_back(browser, pages[-1])
    assert up == expected[: len(up)] and len(up) == len(expected) - len(pages[-1].ids)


def test_way_back_from_beyond_the_end(server, people, unique):
    """A page that nothing is on any more (a link from long ago) leads back to the first one."""
    me, bob = people(server, "me", "bob")
    me.follow(bob.name)
    tag = unique("tag")
    first = bob.post(f"the only one #{tag}")
    path = me.make_list("all", bob.name)
    for base in ("/home", f"/@{bob.name}", f"/tags/{tag}", path):
        assert me.get(base).newer is None
        page = me.get(f"{base}?max_id={first}")
        assert (page.newer, page.older) == (base, None), base
    page = me.get(f"/@{bob.name}/followers?max_id=1")
    assert page.names == [] and page.newer == f"/@{bob.name}/followers"


def test_paging_everywhere(small_server, people, unique):
    """Home, profile, tag and public over many pages; the home reaches far below what is kept of it."""
    me, bob, carol = people(small_server, "me", "bob", "carol")
    tag = unique("paging")
    me.follow_many(f"{bob.name},{carol.name}")
    ids = []
    for i in range(33):
        author = (me, bob, carol)[i * 7 % 3]
        ids.insert(0, (author.post(f"#{tag} {i}"), author.name))
    all_ids = [i for i, _ in ids]
    assert_pages(me, "/home", all_ids, 5)
    assert_pages(me, f"/tags/{tag}", all_ids, 5)
    for author in (me, bob, carol):
        assert_pages(me, f"/@{author.name}", [i for i, name in ids if name == author.name], 5)
    pages = list(Browser(small_server).pages("/public", 6))
    assert [i for p in pages for i in p.ids] == all_ids[:30]
    assert walk_back(Browser(small_server), pages[-1]) == all_ids[:25]


def test_paging_while_posts_come(small_server, people):
    """New posts do not move the pages that one is reading."""
    me, bob = people(small_server, "me", "bob")
    me.follow(bob.name)
    ids = [bob.post(f"{i}") for i in range(20)][::-1]
    read, page = [], me.get("/home")
    while True:
        read += page.ids
        bob.post("in between")
        if not page.older:
            break
        page = me.get(page.older)
    assert read == ids


def test_cursors_of_any_number(server, people):
    """A cursor need not be the id of a post; nonsense is refused, not guessed at."""
    me = people(server, "me")
    ids = [me.post(f"{i}") for i in range(3)][::-1]
    for path in ("/home", f"/@{me.name}"):
        assert me.get(f"{path}?max_id={ids[0]}").ids == ids[1:]
        assert me.get(f"{path}?min_id={ids[2]}").ids == ids[:2]
        assert me.get(f"{path}?max_id={int(ids[0]) + 1}").ids == ids
        assert me.get(f"{path}?max_id={ids[2]}").ids == []
        for bad in ("-1", "abc", "1e5", "9" * 30, "0x10", " 5"):
            assert me.get(f"{path}?max_id={bad}", expect=None).status == 400, bad
    for path in ("/public", "/tags/x", f"/@{me.name}/followers"):
        assert me.get(f"{path}?max_id=-5", expect=None).status == 400


def test_since_id(small_server, people, unique):
    """The newest posts, but only those above it, perhaps with a gap below them; min_id, which leaves none, wins."""
    me = people(small_server, "me")
    tag = unique("since")
    ids = [me.post(f"#{tag} {i}") for i in range(16)][::-1]
    for path in ("/home", f"/@{me.name}", f"/tags/{tag}", "/public"):
        for _ in range(2):  # rebuilt and from the cache
            for query, expected in ((f"since_id={ids[15]}", ids[:5]), (f"since_id={ids[2]}", ids[:2]),
                                    (f"since_id={int(ids[2]) - 1}", ids[:3]), (f"since_id={ids[0]}", []),
                                    (f"since_id={ids[12]}&max_id={ids[9]}", ids[10:12]),
                                    (f"since_id={ids[1]}&max_id={ids[9]}", []),
                                    (f"since_id={ids[0]}&min_id={ids[7]}", ids[2:7])):
                assert me.get(f"{path}?{query}").ids == expected, (path, query)
        page = me.get(f"{path}?since_id={ids[3]}")
        assert page.newer is None and me.get(page.older).ids == ids[3:8]
    post = me.post("?")
    replies = [me.post(f"@{me.name} {i}", in_reply_to_id=post) for i in range(4)]
    assert me.get(f"/@{me.name}/{post}?since_id={replies[1]}").ids == [post] + replies, "a conversation is read from its beginning"


def test_home_leaves_out_answers_to_strangers(any_server, people):
    """Half of a conversation stays out of home, and only out of home; following the other brings it in, and unfollowing takes it out."""
    me, bob, stranger = people(any_server, "me", "bob", "stranger")
    me.follow(bob.name)
    question, own = stranger.post("question"), me.post("mine")
    expected = [own, bob.post("plain")]
    hidden = answer(bob, stranger, question)
    expected += [answer(bob, bob, expected[1]), answer(bob, me, own), answer(me, stranger, question)]
    for _ in range(2):
        assert me.get("/home").ids == expected[::-1]
        assert hidden in me.get(f"/@{bob.name}/replies").ids and hidden in me.get("/public").ids
    me.follow(stranger.name)
    whole = sorted([*expected, question, hidden], key=int, reverse=True)
    assert me.get("/home").ids == whole
    me.unfollow(stranger.name)
    assert me.get("/home").ids == expected[::-1]


def test_tabs_of_a_profile(server, people):
    """Posts: without answers to others, but with those to oneself, boosts and what is pinned. Posts and replies: all, in order."""
    me, bob = people(server, "me", "bob")
    question = bob.post("question")
    first = me.post("first")
    alone, to_bob = answer(me, me, first), answer(me, bob, question)
    me.action(f"/posts/{question}/boost", next="/home")
    me.action(f"/posts/{to_bob}/pin", next="/home")
    for who in (me, Browser(server)):
        posts, all_of_them = who.get(f"/@{me.name}"), who.get(f"/@{me.name}/replies")
        tabs = [(a["href"], a.get("aria-current")) for a in posts.all("main .tabs a")]
        assert tabs == [(f"/@{me.name}#posts", "page"), (f"/@{me.name}/replies#posts", None)]
        assert [s.id for s in posts.statuses] == [to_bob, question, alone, first]
        assert [s.id for s in all_of_them.statuses] == [question, to_bob, alone, first]
        assert all_of_them.one(".tabs [aria-current]")["href"] == f"/@{me.name}/replies#posts" and posts.counts == all_of_them.counts
    for _ in range(21):
        answer(me, bob, question)
    page = me.get(f"/@{me.name}/replies")
    assert page.older.startswith(f"/@{me.name}/replies?max_id=") and me.get(page.older).newer.startswith(f"/@{me.name}/replies?min_id=")
    assert me.get(f"/@{me.name}").older is None
    assert me.get("/@nobody_of_that_name/replies", expect=404).status == 404


def answer(who, whom, post):
    """The id of an answer to it."""
    page = who.action("/posts", status=f"@{whom.name} yes", in_reply_to_id=post, next=f"/@{who.name}/replies")
    assert page.status == 200, page.summary
    return page.ids[0]


def test_deleted_posts_leave_full_pages(small_server, people, unique):
    """A deleted post is gone from every page at once, and the next ones move up."""
    me, bob = people(small_server, "me", "bob")
    me.follow(bob.name)
    tag = unique("gone")
    ids = [bob.post(f"#{tag} {i}") for i in range(22)][::-1]
    for path in ("/home", f"/@{bob.name}", f"/tags/{tag}", "/public"):
        me.get(path)  # what was cached before must not show through
    for gone in [ids[i] for i in (0, 2, 3, 6, 7, 8, 9, 10, 14)]:
        bob.delete(gone)
        ids.remove(gone)
        for path in ("/home", f"/@{bob.name}", f"/tags/{tag}", "/public"):
            assert me.get(path).ids == ids[:5], path
    for path in ("/home", f"/@{bob.name}", f"/tags/{tag}"):
        assert_pages(me, path, ids, 5)


def test_public_holds_exactly_1000(any_server, people):
    """The thousand newest; the next one pushes the oldest out."""
    authors = people(any_server, *["flood"] * 4)
    first = authors[0].post("the very first")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda a: [a.post_quickly(f"{i}") for i in range(250)], authors))
    stranger = Browser(any_server)
    ids = stranger.timeline_ids("/public")
    assert len(ids) == 1000 == len(set(ids)) and first not in ids
    assert ids == sorted(ids, key=int, reverse=True)
    with any_server.engine() as engine:
        assert engine("LLEN", engine.one_key("*:timeline")) == 1000
    assert stranger.get(f"/@{authors[0].name}/{first}").ids[0] == first, "but it is not lost"
    assert first in stranger.timeline_ids(f"/@{authors[0].name}")
    newest = authors[1].post("one more")
    again = stranger.timeline_ids("/public")
    # who is pushed out is the one that came in first; of several in one moment that need not be the smallest id
    assert again[0] == newest and len(again) == 1000
    assert again[1:-10] == ids[:-11] and set(again[1:]) < set(ids)


# --- time ---

def test_time_of_a_post(server, people):
    """In words and exact, the link to the post's own page."""
    me = people(server, "me")
    before = time.time()
    post = me.post("when?")
    link = me.get(f"/@{me.name}").one("a.at")
    when = link.one("time")
    assert link["href"] == f"/@{me.name}/{post}"
    exact = datetime.strptime(when["datetime"], "%Y-%m-%d %H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp()
    assert before - 1 <= exact <= time.time() + 1
    assert re.fullmatch(r"now|\d+s", when.text)
    date = me.get(f"/@{me.name}/{post}").one(".status-date")
    assert re.search(r"(now|\d+ seconds? ago) · \d{4}-\d\d-\d\d \d\d:\d\d UTC", date.text)
    wait_until(lambda: re.fullmatch(r"\d+[sm]", me.get("/home").one("a.at").text), 20, "the words follow the clock")


# --- deliveries behind the request ---

@pytest.mark.parametrize("inline", ["0", "2"])
def test_followers_beyond_the_first_get_it_too(inline):
    """What the request does not deliver, the workers do, soon."""
    env = {"RETWIS_TIMELINE_INLINE_FOLLOWERS": inline}
    with Server(mode="push", env=env) as server:
        star = Browser(server).sign_up("star")
        fans = [Browser(server).sign_up(f"fan{i}") for i in range(6)]
        for fan in fans:
            fan.follow("star")
            fan.get("/home")
        ids = [star.post(f"{i}") for i in range(5)]
        for fan in fans:
            wait_until(lambda f=fan: f.get("/home").ids == ids[::-1], 5, "the post reaches every follower")
        star.delete(ids.pop(2))
        for fan in fans:
            assert fan.get("/home").ids == ids[::-1]


@pytest.mark.parametrize("mode", ["push", "hybrid"])
def test_home_cut_in_the_order_of_arrival(mode):
    """Of two posts that arrived the wrong way round, the newer was cut off and the older stands at the end of the list: pages
    have both."""
    env = {"RETWIS_TIMELINE_SIZE": "10", "RETWIS_TIMELINE_PAGE": "5"}
    with Server(mode=mode, env=env) as server, server.engine() as engine:
        bob = Browser(server).sign_up("bob")
        ids = [bob.post(f"{i}") for i in range(50)][::-1]
        home = engine.one_key("*:home:*")
        for at in (9, 29):  # where the window ends, and where the list does
            engine("DEL", home)
            engine("RPUSH", home, *(ids[:at] + [ids[at + 1], ids[at]] + ids[at + 2:])[:30])
            assert bob.timeline_ids("/home") == ids, at


@pytest.mark.parametrize("mode", ["push", "hybrid"])
def test_home_that_holds_a_post_twice(mode):
    """A delivery that came after the rebuild which had it already. No page shows it twice, and one visit is enough for the
    list to be built anew."""
    with Server(mode=mode) as server, server.engine() as engine:
        bob = Browser(server).sign_up("bob")
        ids = [bob.post(f"{i}") for i in range(5)][::-1]
        home = engine.one_key("*:home:*")
        engine("LPUSH", home, ids[2])
        assert bob.get("/home").ids == ids
        assert bob.get("/home").ids == ids
        wait_until(lambda: engine("LRANGE", home, 0, -1) == [i.encode() for i in ids] + [b"0"], 5, "it is there once")


def test_one_post_from_the_future():
    """Written while a clock was wrong: its author's next posts come after it, everybody else's stay in the present."""
    with Server() as server:
        alice, bob = [Browser(server).sign_up(n) for n in ("alice", "bob")]
        future = int(bob.post("before")) + (3600 * 1000 << 16)
        with server.engine() as engine:
            uid = bob.cookie.split(".")[0]
            posts = engine.one_key(f"*:posts:{uid}")
            engine("HSET", posts.replace(f"posts:{uid}", f"post:{future}"), "author", uid, "text", "from the future")
            engine("ZADD", posts, 0, future)
        for i in range(3):
            assert int(bob.post(f"after {i}")) > future
            begin = time.time()
            assert begin - 2 < (int(alice.post(f"now {i}")) >> 16) / 1000 < time.time() + 2
        assert bob.get("/@bob").texts == ["after 2", "after 1", "after 0", "from the future", "before"]
        assert alice.get("/home").texts == ["now 2", "now 1", "now 0"]


EMPTY = """redis.call('DEL', KEYS[1]); redis.call('RPUSH', KEYS[1], '0')
redis.call('HSET', KEYS[2], 'stamp', ARGV[1], 'build', '1')"""


@pytest.mark.parametrize("mode", ["push", "pull", "hybrid"])
def test_home_emptied_while_it_is_read(mode):
    """The end of a follow job empties the reader's home, maybe between the two round trips of his visit. The page has all the
    same what it has to have."""
    with Server(mode=mode, env={"RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "1"}) as server, server.engine() as engine:
        star, bob, carol = [Browser(server).sign_up(name) for name in ("star", "bob", "carol")]
        bob.follow("star")
        carol.follow("star")
        ids = [who.post(f"{i}") for i in range(20) for who in (bob, bob, star)][::-1]  # too close for the order of a list
        wait_until(lambda: bob.get("/home").ids == ids[:20], 5, "all is delivered")
        home = engine.one_key(f"*:home:{bob.cookie.split('.')[0]}")
        state, done = home.replace(":home:", ":homestate:"), threading.Event()

        def disturb():
            for n in itertools.count():
                if done.wait(random.uniform(0.001, 0.012)):
                    return
                engine("EVAL", EMPTY, 2, home, state, f"disturbed {n}")

        disturber = threading.Thread(target=disturb)
        disturber.start()
        try:
            pages = [bob.get("/home").ids for _ in range(600)]
        finally:
            done.set()
            disturber.join()
        assert [p for p in pages if p != ids[:20]] == []


def test_celebrities_below_what_was_asked():
    """Much of a home is hidden, and its order uncertain: the page goes on further down in the list, where celebrities had not
    been asked for their posts."""
    env = {"RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "1", "RETWIS_LIMITS_ENABLED": "no"}
    with Server(mode="hybrid", env=env) as server, server.engine() as engine:
        star, bob, carol, stranger = [Browser(server).sign_up(name) for name in ("star", "bob", "carol", "stranger")]
        bob.follow("star")
        carol.follow("star")
        assert bob.get("/home").ids == []
        expected, foreign = [], []
        for _ in range(20):
            expected += [bob.post("mine"), star.post("a celebrity's")]
            foreign += [stranger.post("not followed") for _ in range(5)]
        home = engine.one_key(f"*:home:{bob.cookie.split('.')[0]}")
        mine = [i.decode() for i in engine("LRANGE", home, 0, -1)]
        engine("DEL", home)
        engine("RPUSH", home, *sorted([i for i in mine if i != "0"] + foreign, reverse=True), "0")
        assert bob.timeline_ids("/home") == expected[::-1]


def test_beside_posts_and_profiles(server, people):
    """The right column: who talks in a conversation, and whom one might follow; what is pressed leads back."""
    me, ann, ben = people(server, "me", "ann", "ben")
    post = ann.post("a question #beside")
    ben.reply(ann.name, post, "an answer #beside")
    me.reply(ann.name, post, "mine")

    def beside(browser, path):
        return [e["data-name"] for e in browser.get(path).all(".latest .account-row")]

    page = f"/@{ann.name}/{post}"
    assert beside(me, page) == [ann.name, ben.name] and beside(ann, page)[0] == ben.name
    assert me.get(page).one("#latest-title").text == "In this conversation"
    assert beside(Browser(server), page)[:2] == [ann.name, ben.name]
    assert not Browser(server).get(page).all(".latest button")
    assert beside(me, f"/@{ann.name}")[0] == ben.name and beside(ann, f"/@{me.name}")[0] == ben.name
    button = me.get(page).first(f".latest .account-row[data-name={ben.name}] button")
    answer = me.action(button["formaction"], follow=False, next=page)
    assert answer.headers["Location"] == page
    assert me.get(page).first(f".latest .account-row[data-name={ben.name}] button")["data-following"] == "true"
    assert ben.name not in beside(me, f"/@{ann.name}") and not beside(Browser(server), f"/@{ann.name}")


def test_how_many_are_new(server, people):
    """What the page's script asks now and then: posts of the first page above the one that is on top, in the reader's words."""
    me, other = people(server, "me", "other")
    me.follow(other.name)
    posts = [other.post(f"{n}") for n in range(3)]

    def news(query="", **headers):
        return me.session.get(f"{server.url}/home/news{query}", headers=headers).json()

    assert news() == {"count": 3, "label": "3 new posts"}
    assert news(f"?since_id={posts[1]}") == {"count": 1, "label": "1 new post"}
    assert news(f"?since_id={posts[2]}")["count"] == 0
    assert news(f"?since_id={posts[0]}", **{"Accept-Language": "es"})["label"] == "2 publicaciones nuevas"
    for n in range(20):
        other.post_quickly(f"more {n}")
    assert news(f"?since_id={posts[2]}") == {"count": 20, "label": "New posts"}
    assert me.session.get(f"{server.url}/home/news?since_id=x").status_code == 400
    assert Browser(server).session.get(f"{server.url}/home/news", allow_redirects=False).status_code in (302, 303)
