"""Durable work whose worker dies, lags, or can never succeed."""

import re
import time

from retwis_engine import RedisServer
from retwis_readers import Readers, key
from retwis_server import Browser, Server, wait_until

TAKEN_OVER_SECONDS = 10
READERS = 35_500
LAGGING_READERS = 25_000  # of 16 posts one worker has some seconds to do on a busy machine, and half a second on an idle one
MORE_READERS = 100_000
POSTS = 16


def test_job_that_always_fails():
    """It is given up in the end, stays visible, and is in nobody's way; when the reason is gone the repair does it."""
    with Server() as server, server.engine() as engine:
        alice, bobby = [Browser(server).sign_up(name) for name in ("alice", "bobby")]
        uid, other = [int(person.cookie.split(".")[0]) for person in (alice, bobby)]
        bucket = uid >> 6 & 1023
        job = str(uid + (1 << 20))
        engine("SET", key("followers", other), "of a type that no script can use")
        engine("ZADD", key("following", uid), 17, other)
        engine("HSET", f"{{{bucket}}}:job:{job}", "type", "follow", "uid", uid, "targets", other, "cursor", "0",
               "attempts", "9")
        engine("ZADD", f"{{{bucket}}}:jobs", 1, job)
        assert server.metric("jobs_dead") == 0
        wait_until(lambda: engine("ZCARD", f"{{{bucket}}}:jobs") == 0, 20, "the job is given up")
        assert engine("LRANGE", f"{{{bucket}}}:dead", 0, -1) == [job.encode()]
        assert engine("HGET", f"{{{bucket}}}:job:{job}", "attempts") == b"11"
        assert server.metric("jobs_dead") == 1 and server.metric("jobs_failed_total") >= 1
        assert re.search(r"Jobs given up after too many attempts\s+1\b|\b1\s+Jobs given up", server.cli("stats"))
        alice.post("others are not held up")
        engine("DEL", key("followers", other))
        done = server.cli("check", expect=None)
        assert done.returncode == 1 and re.search(r"^error +job_dead +1 .*" + job, done.stdout, re.M), done
        server.cli("check", "--repair")
        assert engine("ZSCORE", key("followers", other), uid) is not None
        assert server.metric("jobs_dead") == 0 and engine.keys("*:job:*") == []


def test_work_of_others_is_counted():
    """The numbers of open work are those of the site, whoever has it, and its age grows until it is done."""
    with Server() as server, server.engine() as engine:
        made = int(time.time() * 1000) - 5000
        bucket, job = 7, str(made << 16 | 7 << 6)
        wait_until(lambda: server.metric("jobs_open") == 0, 20, "nothing is open")
        assert server.metric("jobs_oldest_seconds") == 0
        engine("ZADD", f"{{{bucket}}}:jobs", made + 40_000, job)  # a lease that another process has
        assert server.metric("jobs_open") == 1 and server.metric("jobs_waiting") == 0
        assert 5 <= server.metric("jobs_oldest_seconds") < 60
        engine("DEL", f"{{{bucket}}}:jobs")
        assert server.metric("jobs_open") == 0


def test_any_other_process_takes_over():
    """The one that was asked dies in the middle of its deliveries; another one, which nobody asked, ends them."""
    env = {"RETWIS_TIMELINE_INLINE_FOLLOWERS": "0"}
    with RedisServer() as redis, Server(engine=redis, env=env) as first, Server(engine=redis, env=env) as second:
        crowd = Readers(first, READERS)
        for _ in range(10):  # on a busy machine it may be done before we come to kill it
            crowd.author.post_quickly("the last words")
            first.kill9()
            begin = time.monotonic()
            if crowd.jobs():
                break
            crowd.author.server = first.start()
        assert crowd.jobs() == 1, "it died before it was done"
        wait_until(lambda: second.metric("jobs_taken_over_total") >= 1, TAKEN_OVER_SECONDS, "it is taken over")
        print(f"{time.monotonic() - begin:.1f} s")
        crowd.wait()
        assert crowd.wrong() == 0
        crowd.close()


def test_posting_goes_on_while_workers_lag():
    """Posts are acknowledged much faster than one worker delivers them; all of them arrive, once, in the end."""
    env = {"RETWIS_TIMELINE_INLINE_FOLLOWERS": "0", "RETWIS_TIMELINE_WORKERS": "1"}
    with Server(engine="redis", env=env) as server:
        crowd = Readers(server, LAGGING_READERS)
        most = 0
        for n in range(POSTS):
            crowd.author.post_quickly(f"post {n}")
            most = max(most, crowd.jobs())
        assert most > POSTS / 4, "the worker keeps up: this shows nothing"
        waiting = server.metric("jobs_waiting")
        print(f"{most} jobs, {waiting} of them in the queue of the process")
        # what comes too late is put at its place one by one, which a busy machine makes the rule
        wait_until(lambda: crowd.jobs() == 0, 180, "all is delivered")
        posts = crowd.engine("ZRANGE", key("posts", crowd.uid), 0, -1, "REV")
        assert len(posts) == POSTS
        for reader in crowd.readers[::1000]:
            home = crowd.engine("LRANGE", key("home", reader), 0, -1)
            assert sorted(home[:-1], reverse=True) == posts and home[-1] == b"0"
        crowd.close()


def test_waiting_is_no_failure():
    """Leases of jobs that wait in the queue of a process end, too. Its sweeper sees that, and does not count it as an attempt:
    else a queue of some minutes would put them aside as hopeless."""
    env = {"RETWIS_TIMELINE_INLINE_FOLLOWERS": "0", "RETWIS_TIMELINE_WORKERS": "1"}
    with Server(engine="redis", env=env) as server:
        crowd = Readers(server, MORE_READERS)
        jobs = f"{{{crowd.uid >> 6 & 1023}}}:jobs"
        for n in range(3 * POSTS):
            crowd.author.post_quickly(f"post {n}")
        newest = max(crowd.engine("ZRANGE", jobs, 0, -1))
        job = jobs[:-1] + ":" + newest.decode()
        crowd.engine("HSET", job, "attempts", "5")
        crowd.engine("ZADD", jobs, 1, newest)
        wait_until(lambda: float(crowd.engine("ZSCORE", jobs, newest)) > time.time() * 1000, 20, "it is found: its lease is a new one")
        wait_until(lambda: crowd.engine("HGET", job, "attempts") == b"5", 5, "that counts as no attempt")
        assert crowd.engine("HGET", job, "cursor") == b"0", "it was begun: this shows nothing"
        crowd.close()
