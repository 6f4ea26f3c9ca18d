"""kill -9 of the server and of the engine under a mixed load: whatever was acknowledged is there afterwards, once, and
nothing is half done.

RETWIS_KILLS is the number of kills of each test, RETWIS_SEED the beginning of its random numbers (printed). The long run,
300 of the server and 300 of the engine, is a part of `make soak`; with RETWIS_KILLS=100 this file alone does it.
"""

import os
import random
import signal
import time

import pytest

from retwis_clock import Clock
from retwis_load import ENV, Load
from retwis_server import RedisServer, Server, wait_until
from retwis_truth import Truth, check, check_errors, wait_for_jobs

KILLS = int(os.environ.get("RETWIS_KILLS", "7"))  # in each of three modes: more than 20 of both kinds
CHECK_EVERY = 7  # kills after which `retwis check` looks at what they left
MODES = ["push", "pull", "hybrid"]


def kill_server(server, looks):
    """The engine goes with it and does not block the next start. Nobody has tidied up yet when the check looks."""
    engine = server.engine_pid()
    server.kill9()
    if looks:
        check_errors(server, "--homes")
    server.start()
    assert server.engine_pid() != engine


def kill_engine(server, looks):
    """The server starts it again and recovers by itself."""
    before = server.engine_pid()
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: server.health() == 200 and engine_pid(server) not in (None, before), 40, "the engine is back")
    assert server.process.poll() is None
    if looks:
        check_errors(server, "--homes")


def engine_pid(server):
    """None while nobody answers on the engine's socket."""
    try:
        return server.engine_pid()
    except OSError:
        return None


def verify(server, load, mode):
    """When the jobs of the dead are done, the site is what was acknowledged; and it stays so after a restart."""
    load.must_be_well()
    wait_for_jobs(server)
    counts = load.counts()
    truth = Truth(load.people)
    truth.compare()
    truth.compare_public(counts["public"])
    wait_for_jobs(server)
    remains = check_errors(server, "--homes")
    server.stop()
    check_errors(server)
    server.start()
    Truth(load.people).compare()
    check_errors(server, "--homes", "--repair")
    check(server, "--homes")
    print(f"{mode}: {load.writes()} writes acknowledged, {counts['repeats']} requests repeated, "
          f"{sum(len(p.live) for p in load.people)} posts of {len(load.people)} people: {dict(counts)}; in caches: {remains}")


def run(mode, kill):
    """Kills, each at a random moment after some progress, and then the comparison."""
    seed = int(os.environ.get("RETWIS_SEED", random.SystemRandom().randrange(10**9)))
    print(f"RETWIS_SEED={seed}")
    rng = random.Random(seed)
    with Server(mode=mode, env=ENV) as server:
        load = Load(server, seed).start()
        for number in range(KILLS):
            load.wait_for_progress()
            time.sleep(rng.random() * 0.3)
            kill(server, number % CHECK_EVERY == 0)
        load.wait_for_progress()
        load.stop()
        verify(server, load, mode)


@pytest.mark.parametrize("mode", MODES)
def test_server_is_killed(mode):
    """kill -9 of the server at random moments."""
    run(mode, kill_server)


@pytest.mark.parametrize("mode", MODES)
def test_engine_is_killed(mode):
    """kill -9 of the engine at random moments."""
    run(mode, kill_engine)


@pytest.mark.parametrize("mode", MODES)
def test_one_of_two_servers_is_killed(mode):
    """kill -9 of either of two servers on one engine, one of whose clocks is wrong: the other goes on, and finishes what was begun."""
    seed = int(os.environ.get("RETWIS_SEED", random.SystemRandom().randrange(10**9)))
    print(f"RETWIS_SEED={seed}")
    rng = random.Random(seed)
    with RedisServer() as redis, Clock(-20) as clock, Server(engine=redis, mode=mode, env=ENV) as one, \
            Server(engine=redis, mode=mode, env={**ENV, **clock.env()}) as two:
        load = Load(one, seed, two).start()
        for _ in range(KILLS // 2):
            load.wait_for_progress()
            time.sleep(rng.random() * 0.3)
            victim = rng.choice([one, two])
            victim.kill9()
            victim.start()
        load.wait_for_progress()
        load.stop()
        verify(one, load, mode)


def test_stop_while_people_write():
    """SIGTERM under load: exit status 0, and what was acknowledged is there after the next start."""
    with Server(env=ENV) as server:
        load = Load(server, 1).start()
        for _ in range(3):
            load.wait_for_progress()
            server.stop()
            server.start()
        load.wait_for_progress()
        load.stop()
        verify(server, load, "stopped")
