"""Clocks that are wrong or move: of a second server, of the engine. Every mode goes on showing the same homes."""

import re
import time

import pytest

from retwis_clock import Clock
from retwis_server import Browser, NotStarted, RedisServer, Server, wait_until
from test_shared_engine import twin

MODES = ["push", "pull", "hybrid"]


def id_ms(post):
    """The time that an id carries."""
    return int(post) >> 16


def key(word, uid):
    """The key of a user."""
    return f"{{{int(uid) >> 6 & 1023}}}:{word}:{uid}"


def uid_of(browser):
    """His id."""
    return int(browser.cookie.split(".")[0])


def settled(server):
    """Nothing is missing in any home, by the program's own long look."""
    wait_until(lambda: server.cli("check", "--homes", expect=None).returncode == 0, 20, "the check finds nothing")


@pytest.mark.parametrize("mode", MODES)
def test_servers_with_wrong_clocks(mode):
    """One server 25 s behind and one 25 s ahead: what is written on either is in every home at once, in one order, dated by the
    engine's clock."""
    with RedisServer() as redis, Clock(-25) as behind, Clock(25) as ahead, \
            Server(engine=redis, mode=mode) as right, \
            Server(engine=redis, mode=mode, env=behind.env()) as slow, \
            Server(engine=redis, mode=mode, env=ahead.env()) as fast:
        reader, first, second = (Browser(right).sign_up(n) for n in ("reader", "first", "second"))
        reader.follow_many("first,second")
        readers = [twin(reader, s) for s in (right, slow, fast)]
        written = []
        for i, server in enumerate([right, fast, slow, right, slow, fast, slow, right]):
            writer = twin((first, second)[i % 2], server)
            post = writer.post(f"number {i}")
            assert abs(id_ms(post) - time.time() * 1000) < 15000, "the engine's clock, not the server's"
            written.insert(0, post)
            for r in readers:
                assert r.get("/home").ids == written, (mode, i, r.server.url)
        for server, words in ((slow, "s behind the engine's"), (fast, "s ahead of the engine's")):
            assert "this machine's clock is 2" in server.log() and words in server.log()
            assert words in Browser(server).get("/health").response.text
        assert "this machine's clock" not in right.log()
        settled(right)


def test_mark_ahead_of_the_clock():
    """Pull: a mark from the future, which an older version or a clock of another day left, hides nothing."""
    with Server(engine="redis", mode="pull") as server:
        reader, writer = (Browser(server).sign_up(n) for n in ("reader", "writer"))
        reader.follow("writer")
        old = writer.post("before")
        assert reader.get("/home").ids == [old]
        with server.engine() as engine:
            engine("HSET", key("homestate", uid_of(reader)), "mark", int((time.time() + 3600) * 1000))
            new = writer.post("after")
            assert reader.get("/home").ids == [new, old]
            mark = int(engine("HGET", key("homestate", uid_of(reader)), "mark"))
            assert mark <= time.time() * 1000 + 1000


@pytest.mark.parametrize("mode", MODES)
def test_engine_whose_clock_moves(mode):
    """Ahead by a minute, then back by an hour, then a restart: nobody misses a post, and authors go on posting."""
    with Clock() as clock, RedisServer(clock=clock) as redis, Server(engine=redis, mode=mode) as server:
        reader, first, second, late = (Browser(server).sign_up(n) for n in ("reader", "first", "second", "late"))
        reader.follow_many("first,second,late")
        written = [first.post("in order")]
        assert reader.get("/home").ids == written
        begin = time.time()
        clock.set(60)
        written.insert(0, second.post("a minute ahead"))
        assert id_ms(written[0]) > (begin + 50) * 1000
        assert reader.get("/home").ids == written
        clock.set(-3600)
        wait_until(lambda: "the engine's clock was set back" in server.log(), 10, "the server notices")
        for i in range(3):
            written = sorted([a.post(f"back {i}") for a in (late, first, second)] + written, key=int, reverse=True)
            assert reader.get("/home").ids == written
        assert id_ms(written[-1]) < time.time() * 1000 - 3000000, "who has written nothing ahead goes by the clock"
        server.restart()
        written = sorted([a.post("after the restart") for a in (late, second)] + written, key=int, reverse=True)
        assert reader.get("/home").ids == written
        assert sorted(reader.get("/public").ids, key=int, reverse=True) == written
        settled(server)


def test_check_config_compares_the_clocks():
    """The administrator hears of it before the server runs, and that it is no reason not to."""
    with Clock() as clock, RedisServer(clock=clock) as redis, Server(engine=redis, start=False) as server:
        assert "clock" not in server.cli("check-config", expect=None).stderr
        clock.set(60)
        done = server.cli("check-config", expect=None)
        assert done.returncode == 0 and re.search(r"warning: .*this machine's clock is \d+ s behind the engine's", done.stderr)


def test_clock_before_all_ids():
    """A machine that woke up in another century: no id could be read that it made, so it says so and does not serve."""
    with Clock(-20 * 365 * 86400) as clock, Server(env=clock.env(), start=False) as server:
        with pytest.raises(NotStarted) as refused:
            server.start()
        assert refused.value.status == 1 and "set it right first" in refused.value.text
