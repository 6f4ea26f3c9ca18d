"""`retwis check`: every rule of the data broken by hand, found, mended, and clean afterwards; nothing found where nothing is wrong."""

import concurrent.futures
import random
import time

import pytest

from retwis_breaks import BREAKS, Town, a_list_of_followers, another, bucket_of
from retwis_server import Browser, EngineError, Server, wait_until


def settled(findings):
    """The findings but for notes."""
    return {word for word, (kind, _) in findings.items() if kind != "note"}


@pytest.fixture(name="town", scope="module")
def fixture_town():
    """Shared by the tests of this file: each leaves it mended."""
    with Server() as server:
        yield Town(server)


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
    for name in town.uid:  # what other tests left: a block ends follows
        town.engine("DEL", town.key("apart", name))
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
            later = int(time.time() * 1000) + 60_000
            engine("ZADD", f"{{{b}}}:following:{uid}", 17, other)
            engine("ZADD", f"{{{b}}}:jobs", later, job)
            engine("HSET", f"{{{b}}}:job:{job}", "type", "follow", "uid", uid, "targets", other, "cursor", "0")
            gone = another(uid, 2)
            engine("ZADD", f"{{{b}}}:jobs", later, gone)
            engine("HSET", f"{{{b}}}:job:{gone}", "type", "fanout", "uid", uid, "post", another(uid, 3), "cursor", "0")
            found, status, text = t.check()
            assert status == 0 and settled(found) == set(), text
            assert found["job_waiting"] == ("note", 2) and found["job_ends"] == ("note", 1)
            engine("ZADD", f"{{{b}}}:jobs", "XX", 1, job, 1, gone)  # the leases end
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
                elif kind < 0.75:
                    verb = rng.choice(["follow", "unfollow"])
                    me.action(f"/@{rng.choice(names)}/{verb}", follow=False, next="/home")
                elif kind < 0.85:
                    path = me.make_list(rng.choice("abc"), rng.choice(names))
                    me.get(path)
                    if rng.random() < 0.5:
                        me.action(f"{path}/{rng.choice(['delete', 'remove'])}", names=rng.choice(names), next="/lists")
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


def test_home_older_than_all_posts():
    """Pull: what a home that was made before anybody wrote knows nothing of is not missing in it."""
    with Server(mode="pull") as server:
        alice, bob = (Browser(server).sign_up(n) for n in ("alice", "bob"))
        alice.follow("bob")
        for _ in range(2):
            assert alice.get("/home").ids == []
        post = bob.post("the first")
        assert "no errors" in server.cli("check", "--homes")
        assert alice.get("/home").ids == [post]
        assert "no errors" in server.cli("check", "--homes")


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
