"""Anything in any order against the running server: see retwis_fuzz.py.

RETWIS_FUZZ_SEED=<number> repeats one life, RETWIS_FUZZ_STEPS makes it longer; RETWIS_SOAK=<minutes> goes on that long with new
seeds, three lives side by side and now and then a dead engine (make soak).
"""

import os
import random
import threading
import time
import traceback

import pytest

import retwis_fuzz
from retwis_server import PASSWORD, Server, limit, wait_until

MODES = ["push", "pull", "hybrid"]
STEPS = int(os.environ.get("RETWIS_FUZZ_STEPS", "350"))
SEED = os.environ.get("RETWIS_FUZZ_SEED")
SOAK_SECONDS = 60 * float(os.environ.get("RETWIS_SOAK", "0"))
LIVES = 3  # side by side, in the long run
# Few posts reach every edge; passwords are cheap because few lives have many.
ENV = {"RETWIS_TIMELINE_PAGE": "5", "RETWIS_TIMELINE_SIZE": "12", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "3",
       "RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "1", "RETWIS_TIMELINE_INLINE_FOLLOWERS": "2", "RETWIS_SESSION_PER_USER": "1000"}


def live(fuzz, steps=None, until=None):
    """None, or what was wrong, with the way there."""
    try:
        fuzz.run(steps, until)
        return None
    except Exception:  # pylint: disable=broad-except
        return "\n".join([traceback.format_exc(limit=-3), "before that:", *map(str, fuzz.recent)])


def settle(server):
    """The jobs that were begun end; then the data must keep its own rules."""
    def is_clean():
        done = server.cli("check", "--homes", expect=None)
        return done if done.returncode == 0 else None

    try:
        wait_until(is_clean, 20, "retwis check finds nothing")
    except AssertionError:
        raise AssertionError(server.cli("check", "--homes", expect=None).stdout) from None


@pytest.mark.parametrize("mode", MODES)
def test_anything(mode):
    """One life in each mode."""
    seed = int(SEED) if SEED else 1 + MODES.index(mode)
    with Server(mode=mode, env=ENV) as server:
        pid = server.process.pid
        fuzz = retwis_fuzz.Fuzz(server, seed)
        wrong = live(fuzz, steps=STEPS)
        assert not wrong, f"RETWIS_FUZZ_SEED={seed} mode={mode}: {wrong}"
        assert server.process.poll() is None and server.process.pid == pid
        assert sum(fuzz.statuses[s] for s in (200, 303)) > STEPS / 4, fuzz.statuses  # it does get somewhere
        assert PASSWORD not in server.log()
        settle(server)


@pytest.mark.skipif(not SOAK_SECONDS, reason="RETWIS_SOAK=<minutes>")
def test_anything_for_long():
    """Several lives at once, with new seeds until the time is over, and an engine that dies."""
    end = time.monotonic() + SOAK_SECONDS
    while time.monotonic() < end:
        seed = int(SEED) if SEED else random.randrange(1, 10 ** 6)
        rng = random.Random(seed)
        mode, kills = rng.choice(MODES), rng.random() < 0.7
        print(f"RETWIS_FUZZ_SEED={seed} mode={mode} kills={kills}", flush=True)
        until = min(end, time.monotonic() + 60)
        with Server(mode=mode, env=ENV) as server:
            found = []
            lives = [retwis_fuzz.Fuzz(server, seed + i, may_be_away=kills) for i in range(LIVES)]
            threads = [threading.Thread(target=lambda f=f: found.append(live(f, until=lambda: time.monotonic() > until)))
                       for f in lives]
            for thread in threads:
                thread.start()
            while kills and time.monotonic() < until - 10:
                time.sleep(rng.uniform(3, 12))
                os.kill(server.engine_pid(), 9)
                wait_until(lambda: server.health() == 200, 30, "the engine is back")
            for thread in threads:
                thread.join(limit(120))
            wrong = [text for text in found if text]
            assert not wrong and len(found) == LIVES, f"RETWIS_FUZZ_SEED={seed} mode={mode} kills={kills}:\n" + "\n".join(wrong)
            assert server.process.poll() is None
            print(sum((f.statuses for f in lives), start=lives[0].statuses.__class__()), flush=True)
            settle(server)
