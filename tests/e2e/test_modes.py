"""Changing the timeline mode server by server: no home has a hole afterwards; and the length of homes in every mode."""

import itertools
import os
import signal

import pytest

from retwis_server import Browser, RedisServer, Server, wait_until
from test_clocks import MODES, key, settled, uid_of
from test_shared_engine import twin


def site(engine):
    """Mode and epoch as the data has them."""
    mode, epoch = engine("HMGET", "{0}:site", "mode", "epoch")
    return mode.decode(), int(epoch)


@pytest.mark.parametrize("before, after", list(itertools.permutations(MODES, 2)))
def test_server_of_the_old_mode_leaves_no_hole(before, after):
    """A server in another mode begins while an old one runs on, and homes are built by its rules. What the old one still takes
    is in them; once it knows, it takes nothing more, says so, and reads on."""
    with RedisServer() as redis, Server(engine=redis, mode=before) as old:
        reader, writer = (Browser(old).sign_up(n) for n in ("reader", "writer"))
        reader.follow("writer")
        written = [writer.post("before")]
        assert reader.get("/home").ids == written
        with Server(engine=redis, mode=after) as new, redis.engine() as engine:
            there = twin(reader, new)
            assert there.get("/home").ids == written
            wait_until(lambda: old.health() == 503, 5, "the old server knows")
            assert writer.try_post("not here").status == 503
            told = f"the site is served in mode {after} by now, and this server in {before}"
            wait_until(lambda: told in old.log(), 5, "the old server says so")
            assert reader.get("/home").ids == written
            # as if the old one had not heard of it yet: its data say that all is as before
            engine("HSET", "{0}:site", "mode", before)
            wait_until(lambda: old.health() == 200, 5, "the old server goes on")
            wait_until(lambda: new.health() == 503, 5, "the new one knows")
            epoch = site(engine)[1]
            engine("HSET", "{0}:site", "mode", after)
            answer = writer.try_post("at the very moment")
            if answer.status == 200:  # it had not noticed
                written.insert(0, reader.get("/home").ids[0])
                assert site(engine)[1] > epoch
            assert there.get("/home").ids == written
            wait_until(lambda: new.health() == 200, 5, "the new one goes on")
            written.insert(0, twin(writer, new).post("after"))
            assert there.get("/home").ids == written
            assert reader.get("/home").ids == written
            settled(new)


def test_job_of_another_mode_moves_the_epoch():
    """A server dies between storing a post and looking at the mode: whoever takes up the job looks, and has every home built
    again."""
    with Server(engine="redis", mode="push") as server:
        reader, writer = (Browser(server).sign_up(n) for n in ("reader", "writer"))
        reader.follow("writer")
        reader.get("/home")
        post = writer.post("by a server in pull mode, as it were")
        assert reader.get("/home").ids == [post]
        with server.engine() as engine:
            epoch, uid = site(engine)[1], uid_of(writer)
            bucket, job = uid >> 6 & 1023, int(post) + (1 << 16)
            engine("LREM", key("home", uid_of(reader)), 0, post)
            assert reader.get("/home").ids == []
            engine("HSET", f"{{{bucket}}}:job:{job}", "type", "fanout", "uid", uid, "post", post, "cursor", 0, "delivers", 0,
                   "mode", "pull", "nonce", "1")
            engine("ZADD", f"{{{bucket}}}:jobs", 1, job)
            wait_until(lambda: site(engine)[1] == epoch + 1, 10, "the epoch moves")
            assert reader.get("/home").ids == [post]


def test_other_tools_change_no_mode():
    """A tool whose configuration names another mode leaves the site's as it is."""
    with Server(engine="redis", mode="push") as server, server.engine() as engine:
        Browser(server).sign_up("somebody")
        before = site(engine)
        server.env["RETWIS_TIMELINE_MODE"] = "pull"
        server.cli("timeline", "show", "somebody")
        assert site(engine) == before


@pytest.mark.parametrize("mode", MODES)
def test_own_posts_do_not_make_a_home_endless(mode):
    """Somebody whom only he himself reads: his home is cut as deliveries cut it, and every page is there."""
    with Server(mode=mode, env={"RETWIS_TIMELINE_SIZE": "10", "RETWIS_TIMELINE_PAGE": "8"}) as server:
        alone = Browser(server).sign_up("alone")
        alone.get("/home")
        written = [alone.post_quickly(f"number {i}") for i in range(110)]
        with server.engine() as engine:
            assert int(engine("LLEN", key("home", uid_of(alone)))) <= 10 + 20 + 64
        ids = alone.timeline_ids("/home")
        assert len(ids) == len(written) and ids == sorted(ids, key=int, reverse=True)
        settled(server)


def test_backup_of_another_mode():
    """The engine is set back to a moment when the site was served in another mode: no server of that mode runs, so those that run go on
    in theirs."""
    with RedisServer() as redis, Server(engine=redis, mode="pull") as server, redis.engine() as engine:
        reader, writer = (Browser(server).sign_up(n) for n in ("reader", "writer"))
        reader.follow("writer")
        server.restart(RETWIS_TIMELINE_MODE="push")
        epoch = site(engine)[1]
        engine("HSET", "{0}:site", "mode", "pull", "epoch", epoch - 1, "begun", "of another engine")
        wait_until(lambda: site(engine) == ("push", epoch + 1), 5, "the server says its mode again")
        post = writer.post("goes on")
        assert reader.get("/home").ids == [post] and server.health() == 200


def test_backup_and_a_server_that_changes_the_mode_at_once():
    """The engine is set back, and before the server that runs on has looked, another one begins in a new mode: that one was started last, so
    its mode is the site's, and the other says that it has to be started again."""
    with RedisServer() as redis, Server(engine=redis, mode="push") as old, redis.engine() as engine:
        reader, writer = (Browser(old).sign_up(n) for n in ("reader", "writer"))
        reader.follow("writer")
        for mode in ("pull", "push"):
            old.restart(RETWIS_TIMELINE_MODE=mode)
        epoch = site(engine)[1]
        os.kill(old.process.pid, signal.SIGSTOP)
        engine("HSET", "{0}:site", "epoch", epoch - 2, "begun", "of another engine")
        with Server(engine=redis, mode="hybrid") as new:
            os.kill(old.process.pid, signal.SIGCONT)
            wait_until(lambda: old.health() == 503, 10, "the old server knows")
            wait_until(lambda: site(engine)[1] > epoch, 10, "the epoch is no old one")
            assert site(engine)[0] == "hybrid"
            post = twin(writer, new).post("goes on")
            assert twin(reader, new).get("/home").ids == [post] and new.health() == 200
            wait_until(lambda: "the site is served in mode hybrid by now" in old.log(), 10, "the old server says so")
