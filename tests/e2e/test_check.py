"""`retwis check`: every rule of the data broken by hand, found, mended, and clean afterwards; nothing found where nothing is wrong."""

import concurrent.futures
import random
import time

import pytest

from retwis_server import Browser, EngineError, Server, wait_until


class Town:
    """A server with people whose data may be broken, one thing at a time."""

    def __init__(self, server):
        self.server = server
        self.people = {name: Browser(server).sign_up(name) for name in ("alice", "bobby", "carol", "daisy")}
        self.uid = {name: person.cookie.split(".")[0] for name, person in self.people.items()}
        alice, bobby, carol = (self.people[n] for n in ("alice", "bobby", "carol"))
        alice.follow("bobby")
        carol.follow_many("alice,bobby")
        bobby.follow("alice")
        self.posts = {"bobby": [bobby.post(f"number {i} #town") for i in range(4)], "carol": [carol.post("carol's")]}
        alice.reply("bobby", self.posts["bobby"][0], "an answer")
        for person in self.people.values():
            person.get("/home")
        self.engine = server.engine()

    def key(self, word, name):
        """A key of somebody's."""
        return f"{{{bucket(self, name)}}}:{word}:{self.uid[name] if word != 'name' else name}"

    def post_key(self, name, number):
        """A post record."""
        return f"{{{bucket(self, name)}}}:post:{self.posts[name][number]}"

    def check(self, *options):
        """Findings by word, as (class, count), and the exit status."""
        done = self.server.cli("check", *options, expect=None)
        assert done.stderr == "" or "WRONGTYPE" in done.stderr, done
        lines = [line.split() for line in done.stdout.splitlines()[:-1]]
        return {word: (kind, int(count)) for kind, word, count, *_ in lines}, done.returncode, done.stdout


def settled(findings):
    """The findings but for notes."""
    return {word for word, (kind, _) in findings.items() if kind != "note"}


@pytest.fixture(name="town", scope="module")
def fixture_town():
    """Shared by the tests of this file: each leaves it mended."""
    with Server() as server:
        yield Town(server)


# --- what can be wrong: name of the finding, and a function that makes it so ---

BREAKS = {}


def breaks(word):
    """Registers a way to break the data."""
    def register(function):
        BREAKS.setdefault(word, []).append(function)
        return function
    return register


@breaks("key_type")
def a_list_of_followers(t):
    t.engine("DEL", t.key("followers", "bobby"))
    t.engine("RPUSH", f"{{{t.uid['bobby'] and bucket(t, 'bobby')}}}:followers:{t.uid['bobby']}", "x")


@breaks("key_astray")
def a_post_in_another_bucket(t):
    t.engine("HSET", f"{{{(bucket(t, 'bobby') + 1) % 1024}}}:post:{t.posts['bobby'][0]}", "author", t.uid["bobby"])


@breaks("key_astray")
def a_name_in_another_bucket(t):
    t.engine("SET", "{7}:name:alice", t.uid["alice"])


@breaks("member_strange")
def a_follower_with_a_name(t):
    t.engine("ZADD", t.key("followers", "bobby"), 5, "carol")


@breaks("member_strange")
def a_word_in_the_public_timeline(t):
    t.engine("LPUSH", "{0}:timeline", "hello")


@breaks("member_score")
def a_post_out_of_order(t):
    t.engine("ZADD", t.key("posts", "bobby"), 3, t.posts["bobby"][1])


@breaks("member_score")
def a_tag_out_of_order(t):
    t.engine("ZADD", t.engine.one_key("*:tag:town"), 3, t.posts["bobby"][1])


@breaks("name_orphan")
def a_name_without_a_user(t):
    t.engine("SET", f"{{{bucket_of_name('nobody_at_all')}}}:name:nobody_at_all", "123456789012345678")


@breaks("name_orphan")
def a_record_without_its_name(t):
    t.engine("HDEL", t.key("user", "daisy"), "name")


@breaks("user_unnamed")
def a_user_without_a_name(t):
    t.engine("DEL", t.key("name", "alice"))


@breaks("user_unnamed")
def a_name_that_leads_elsewhere(t):
    t.engine("SET", t.key("name", "alice"), t.uid["bobby"])


@breaks("user_damaged")
def a_record_with_nothing(t):
    uid = another(t.uid["alice"], 1)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:user:{uid}", "bio", "nobody")


@breaks("user_twice")
def two_of_one_name(t):
    uid = another(t.uid["alice"], 2)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:user:{uid}", "name", "Alice")
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:users", 0, uid)


@breaks("user_unlisted")
def a_user_in_no_index(t):
    t.engine("ZREM", f"{{{bucket(t, 'alice')}}}:users", t.uid["alice"])


@breaks("user_unreal")
def an_index_of_nobody(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:users", 0, another(t.uid["alice"], 3))


@breaks("newest_behind")
def a_mark_behind(t):
    t.engine("SET", t.key("newest", "bobby"), int(t.posts["bobby"][-1]) - 1)


@breaks("newest_behind")
def a_mark_of_nothing(t):
    t.engine("SET", t.key("newest", "carol"), 0)


@breaks("user_remains")
def a_deleted_user_with_a_post(t):
    server = t.server
    ghost = Browser(server).sign_up(f"ghost_{time.monotonic_ns() % 10**9}")
    uid = ghost.cookie.split(".")[0]
    server.cli("user", "delete", ghost.name, "--yes")
    bucket_number = bucket_of(uid)
    post = another(uid, 4)
    t.engine("HSET", f"{{{bucket_number}}}:post:{post}", "author", uid, "text", "boo")
    t.engine("ZADD", f"{{{bucket_number}}}:posts:{uid}", 0, post)
    t.engine("ZADD", f"{{{bucket_number}}}:followers:{uid}", 5, t.uid["carol"], 6, another(uid, 24))
    t.engine("ZADD", f"{{{bucket_number}}}:following:{uid}", 5, another(uid, 25))


@breaks("owner_gone")
def a_following_of_nobody(t):
    uid = another(t.uid["alice"], 5)
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:following:{uid}", 1, t.uid["bobby"])


@breaks("post_damaged")
def a_post_without_an_author(t):
    post = another(t.uid["alice"], 6)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:post:{post}", "text", "by nobody")


@breaks("post_ownerless")
def a_post_by_nobody(t):
    post, uid = another(t.uid["alice"], 7), another(t.uid["alice"], 8)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:post:{post}", "text", "by nobody", "author", uid)
    t.engine("LPUSH", "{0}:timeline", post)


@breaks("post_unlisted")
def a_post_in_no_list(t):
    t.engine("ZREM", t.key("posts", "bobby"), t.posts["bobby"][2])


@breaks("post_missing")
def an_entry_without_a_post(t):
    t.engine("ZADD", t.key("posts", "bobby"), 0, another(t.uid["bobby"], 9))


@breaks("post_stranger")
def an_entry_of_another_author(t):
    if "neighbour" not in t.uid:
        name = next(n for n in (f"n_{i}" for i in range(10**6)) if bucket_of_name(n) == bucket(t, "carol"))
        t.people["neighbour"] = Browser(t.server).sign_up(name)
        t.uid["neighbour"] = t.people["neighbour"].cookie.split(".")[0]
    t.engine("ZADD", t.key("posts", "neighbour"), 0, t.posts["carol"][0])


@breaks("relation_half")
def a_follow_that_the_other_does_not_know(t):
    t.engine("ZREM", t.key("followers", "bobby"), t.uid["alice"])


@breaks("relation_half")
def a_follower_who_does_not_follow(t):
    t.engine("ZADD", t.key("followers", "bobby"), 17, t.uid["daisy"])


@breaks("relation_nobody")
def a_follow_of_nobody(t):
    t.engine("ZADD", t.key("following", "alice"), 17, another(t.uid["bobby"], 11))


@breaks("relation_nobody")
def a_follower_of_nobody(t):
    t.engine("ZADD", t.key("followers", "alice"), 17, another(t.uid["bobby"], 12))


@breaks("relation_time")
def two_at_one_time(t):
    t.engine("ZADD", t.key("followers", "bobby"), 1234, t.uid["alice"], 1234, t.uid["carol"])


@breaks("session_unlisted")
def a_login_in_no_list(t):
    t.engine("DEL", t.key("sessions", "daisy"))
    t.people["daisy"] = None


@breaks("session_endless")
def a_login_for_ever(t):
    t.engine("PERSIST", t.engine.one_key(f"*:session:{t.uid['alice']}:*"))


@breaks("job_unlisted")
def a_job_in_no_queue(t):
    job = another(t.uid["alice"], 13)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:job:{job}", "type", "signup", "uid", t.uid["alice"], "cursor", "0")


@breaks("job_missing")
def a_queue_without_a_job(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:jobs", int(time.time() * 1000) + 60_000, another(t.uid["alice"], 14))


@breaks("job_dead")
def a_job_given_up(t):
    job = another(t.uid["alice"], 15)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:job:{job}", "type", "signup", "uid", t.uid["alice"], "cursor", "0",
             "attempts", "11")
    t.engine("LPUSH", f"{{{bucket(t, 'alice')}}}:dead", job)


@breaks("celebrity_unlisted")
def a_celebrity_nobody_asks(t):
    t.engine("HSET", t.key("user", "alice"), "celebrity", "1")


@breaks("home_damaged")
def a_home_with_a_word(t):
    t.people["alice"].get("/home", expect=None)
    t.engine("LPUSH", t.key("home", "alice"), "hello")


@breaks("home_twice")
def a_home_with_a_post_twice(t):
    t.people["alice"].get("/home", expect=None)
    t.engine("LPUSH", t.key("home", "alice"), t.posts["bobby"][3])


@breaks("home_gone")
def a_home_with_a_deleted_post(t):
    t.people["alice"].get("/home", expect=None)
    t.engine("LPUSH", t.key("home", "alice"), another(t.uid["bobby"], 16))


@breaks("home_stranger")
def a_home_with_a_stranger(t):
    t.people["alice"].get("/home", expect=None)
    t.engine("LPUSH", t.key("home", "alice"), t.posts["carol"][0])


@breaks("home_nobody")
def a_home_of_nobody(t):
    t.engine("RPUSH", f"{{{bucket(t, 'alice')}}}:home:{another(t.uid['alice'], 17)}", "0")


@breaks("public_twice")
def a_post_twice_in_public(t):
    t.engine("LPUSH", "{0}:timeline", t.posts["bobby"][1])


@breaks("index_gone")
def a_deleted_post_in_public(t):
    t.engine("LPUSH", "{0}:timeline", another(t.uid["bobby"], 18))


@breaks("index_gone")
def a_deleted_post_with_a_tag(t):
    t.engine("ZADD", t.engine.one_key("*:tag:town"), 0, another(t.uid["bobby"], 19))


@breaks("index_gone")
def a_deleted_reply(t):
    t.engine("ZADD", t.engine.one_key("*:replies:*"), 0, another(t.uid["bobby"], 20))


@breaks("index_long")
def too_many_in_public(t):
    for _ in range(11):
        t.engine("RPUSH", "{0}:timeline", *[t.posts["bobby"][0]] * 100)


@breaks("replies_nobody")
def replies_to_nothing(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:replies:{another(t.uid['alice'], 21)}", 0, t.posts["bobby"][0])


@breaks("latest_gone")
def a_newest_user_who_is_not(t):
    t.engine("LPUSH", "{0}:latest", another(t.uid["alice"], 22))


@breaks("celebrity_gone")
def a_celebrity_who_is_not(t):
    t.engine("ZADD", "{0}:celebrities", 5, another(t.uid["alice"], 23))


def bucket_of(any_id):
    """The bucket that is in an id."""
    return int(any_id) >> 6 & 1023


def bucket(t, name):
    """Somebody's bucket."""
    return bucket_of(t.uid[name])


def another(any_id, number):
    """An id that nothing has, in the same bucket."""
    return str((int(any_id) >> 16) - 1000 - number << 16 | bucket_of(any_id) << 6)


def bucket_of_name(name):
    """As id_bucket_of_name."""
    h = 14695981039346656037
    for c in name.encode():
        h = (h ^ c) * 1099511628211 % 2**64
    return (h ^ h >> 32) & 1023


# --- tests ---


@pytest.mark.parametrize("word, how", [(w, f) for w, all_of_it in BREAKS.items() for f in all_of_it],
                         ids=lambda v: v if isinstance(v, str) else v.__name__)
def test_found_and_mended(town, word, how):
    """Broken by hand: the check says so and changes nothing; the repair mends it; then there is nothing to find."""
    assert settled(town.check("--homes")[0]) == set()
    before = None
    how(town)
    for _ in range(2):
        found, status, text = town.check("--homes")
        assert word in found, text
        assert status == (1 if found[word][0] == "error" or "error " in text else 0), text
        before = before or text.split(" s: ")[0].split(" in ")[0]
        assert text.split(" s: ")[0].split(" in ")[0] == before, "looking changes nothing"
    found, status, text = town.check("--repair", "--homes")
    assert word in found and status == 0, text
    found, status, text = town.check("--homes")
    assert settled(found) == set() and status == 0, text


def test_home_that_lacks_a_post(town):
    """Only the long check sees it; afterwards the page has it again."""
    alice, post = town.people["alice"], town.posts["bobby"][2]
    assert post in alice.get("/home").ids
    town.engine("LREM", town.key("home", "alice"), 0, post)
    assert post not in alice.get("/home").ids
    assert settled(town.check()[0]) == set()
    found, status, _ = town.check("--homes")
    assert set(found) == {"home_lacks"} and status == 1
    assert town.check("--homes", "--repair")[1] == 0
    assert post in alice.get("/home").ids


@pytest.mark.parametrize("order", [None, 1, 2, 3])
def test_everything_at_once(order):
    """All of it together, with several breaks in one record, is mended by one run: a second one finds nothing. The order in
    which the data was broken does not matter."""
    hows = [how for all_of_it in BREAKS.values() for how in all_of_it]
    if order:
        random.Random(order).shuffle(hows)
    else:
        hows.sort(key=lambda how: how is a_list_of_followers)
    with Server() as server:
        t = Town(server)
        for how in hows:
            try:
                how(t)
            except (EngineError, AssertionError):  # what it would break is broken too much already
                print(f"{how.__name__} is left out")
        found, status, text = t.check("--repair", "--homes")
        assert status == 0 and len(found) > 20, text
        found, status, text = t.check("--repair", "--homes")
        assert settled(found) == set() and status == 0, text


def test_mended_relations_hold(town):
    """The follower's side is the truth: what he knows is set, what he does not is ended. The pages say so."""
    alice, daisy = Browser(town.server).sign_in("alice"), Browser(town.server).sign_in("daisy")
    town.engine("ZREM", town.key("followers", "bobby"), town.uid["alice"])
    town.engine("ZADD", town.key("followers", "bobby"), 17, town.uid["daisy"])
    found, status, _ = town.check("--repair")
    assert found == {"relation_half": ("error", 2)} and status == 0
    assert sorted(alice.get("/@bobby/followers").names) == ["alice", "carol"]
    assert daisy.get("/@daisy/following").names == []


def test_jobs_are_no_findings():
    """What a dead server left undone is told, not counted; the repair does it."""
    with Server(engine="redis") as server:
        t = Town(server)
        server.kill9()
        uid, other = t.uid["daisy"], t.uid["bobby"]
        with t.engine as engine:
            b, job = bucket_of(uid), another(uid, 1)
            soon = int(time.time() * 1000) + 2500
            engine("ZADD", f"{{{b}}}:following:{uid}", 17, other)
            engine("ZADD", f"{{{b}}}:jobs", soon, job)
            engine("HSET", f"{{{b}}}:job:{job}", "type", "follow", "uid", uid, "targets", other, "cursor", "0")
            gone = another(uid, 2)
            engine("ZADD", f"{{{b}}}:jobs", soon, gone)
            engine("HSET", f"{{{b}}}:job:{gone}", "type", "fanout", "uid", uid, "post", another(uid, 3), "cursor", "0")
            found, status, text = t.check()
            assert status == 0 and settled(found) == set(), text
            assert found["job_waiting"] == ("note", 2) and found["job_ends"] == ("note", 1)
            wait_until(lambda: time.time() * 1000 > soon, 5, "the lease ends")
            found, status, text = t.check("--repair")
            assert status == 0 and settled(found) == set(), text
            found, status, text = t.check()
            assert found == {} and status == 0, text
            assert engine("ZSCORE", f"{{{bucket_of(other)}}}:followers:{other}", uid) is not None


def test_expired_logins_are_a_note(town):
    """A login that ran out leaves its entry until the next one: no finding, but the repair takes it away."""
    carol = Browser(town.server).sign_in("carol")
    uid, entries = town.uid["carol"], town.engine("ZCARD", town.key("sessions", "carol"))
    assert entries >= 2
    town.engine("DEL", town.engine.keys(f"*:session:{uid}:*")[0])
    found, status, _ = town.check()
    assert found == {"session_expired": ("note", 1)} and status == 0
    assert town.check("--repair")[1] == 0
    assert town.engine("ZCARD", town.key("sessions", "carol")) == entries - 1
    assert carol.server is town.server


def test_unknown_keys_are_left_alone(town):
    """A newer version may have made them; other programs share the engine."""
    town.engine("SET", "{5}:novelty", "1")
    town.engine("SET", "{user}:somebody else's", "1")
    town.engine("RPUSH", "a list", "1")
    try:
        found, status, _ = town.check("--repair")
        assert status == 0 and "key_unknown" in found
        assert town.engine("EXISTS", "{5}:novelty", "{user}:somebody else's", "a list") == 3
    finally:
        town.engine("DEL", "{5}:novelty")
        town.engine("DEL", "{user}:somebody else's")
        town.engine("DEL", "a list")


def test_prefix_and_another_site():
    """Only keys with the site's own prefix are looked at."""
    with Server(env={"RETWIS_REDIS_PREFIX": "a.b-c:"}) as server:
        ann = Browser(server).sign_up("ann")
        ann.post("hello")
        with server.engine() as engine:
            engine("SET", "{5}:name:bob", "nonsense")
            engine("SET", "a.b-d:{5}:name:bob", "nonsense")
        text = server.cli("check")
        assert " 1 users, 1 posts, 0 relations: no errors" in text
        assert server.cli("check", "--repair").count("\n") == 1


def busy(server, names, seconds, seed):
    """Everything at once for a while."""
    rng = random.Random(seed)
    end = time.monotonic() + seconds

    def one(name):
        me, mine = None, []
        while time.monotonic() < end:
            try:
                me = me or Browser(server).sign_in(name)
                kind = rng.random()
                if kind < 0.35:
                    mine.append(me.post(f"busy #load @{rng.choice(names)}"))
                elif kind < 0.5 and mine:
                    me.delete(mine.pop(rng.randrange(len(mine))), follow=False)
                elif kind < 0.8:
                    verb = rng.choice(["follow", "unfollow"])
                    me.action(f"/@{rng.choice(names)}/{verb}", follow=False, next="/home")
                else:
                    me.get("/home")
            except Exception:  # the server is killed at some time
                return
    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(one, names))


@pytest.mark.parametrize("mode", ["push", "pull", "hybrid"])
def test_clean_while_and_after_busy(mode):
    """During a mixed load and after it, the check finds no error: also no home that lacks a post."""
    env = {"RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "3", "RETWIS_TIMELINE_INLINE_FOLLOWERS": "1",
           "RETWIS_TIMELINE_SIZE": "30", "RETWIS_TIMELINE_PAGE": "10"}
    with Server(mode=mode, env=env) as server:
        names = [f"busy_{i}" for i in range(8)]
        for name in names:
            Browser(server).sign_up(name)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            load = pool.submit(busy, server, names, 4, mode)
            while not load.done():
                done = server.cli("check", "--homes", expect=None)
                assert done.returncode == 0, done.stdout
            load.result()
        done = server.cli("check", "--homes", expect=None)
        assert done.returncode == 0, done.stdout
        server.cli("check", "--homes", "--repair")
        assert server.cli("check", "--homes").count("\n") == 1


def test_clean_after_kill9():
    """The server dies in the middle of everything, again and again: no half state, before and after it came back."""
    with Server(env={"RETWIS_TIMELINE_INLINE_FOLLOWERS": "1"}) as server:
        names = [f"kill_{i}" for i in range(6)]
        for name in names:
            Browser(server).sign_up(name)
        for round_number in range(3):
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                load = pool.submit(busy, server, names, 30, round_number)
                time.sleep(0.7)
                server.kill9()
                load.result()
            done = server.cli("check", expect=None)
            assert done.returncode == 0, done.stdout
            server.start()
            done = server.cli("check", "--homes", expect=None)
            assert done.returncode == 0, done.stdout


def test_engine_away(town):
    """Says that it was not finished."""
    with Server() as server:
        server.env["RETWIS_REDIS_URL"] = "unix:///nonexistent/engine.sock"
        done = server.cli("check", expect=None)
        assert done.returncode == 1 and done.stdout == "" and "retwis:" in done.stderr
