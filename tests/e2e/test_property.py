"""The promise of the timelines, whatever happens: random histories with crashes, against a naive model.

Signing up, following (one and many), asking locked accounts to, following tags, posting for all or few, answering, mentioning, editing, deleting (and
writing again), favouriting, boosting, keeping, pinning, blocking, muting people and conversations, taking followers away, exclusive
lists, filters, reading, homes that run out, switches of mode, restarts, kill -9 of the server and of the engine at a
random moment, lost connections. A person whose request was not answered sends it again, with the same idempotency key, until it
is. Then:

- at every moment a page holds nothing its reader may not see, in order and once, and lacks nothing that was acknowledged
  before the queue of jobs was last empty;
- once the queue is empty, every page of every timeline is that of the model, downwards and upwards; and so are conversations,
  favourites, bookmarks, notices, relations and all their numbers.

The model is retwis_model.py, what it is compared with retwis_look.py, what people do retwis_deeds.py; here is the chaos.

The seed is printed; RETWIS_SEED repeats a history. RETWIS_SOAK=<minutes> goes on that long with new seeds (make soak).
"""

import os
import random
import threading
import time

import pytest

from retwis_deeds import INLINE, Deeds
from retwis_look import PAGE, follow_notices_may_differ
from retwis_model import Model
from retwis_server import Server, limit, wait_until

STEPS = 115
ENV = {"RETWIS_TIMELINE_PAGE": str(PAGE), "RETWIS_TIMELINE_SIZE": "10", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "2",
       "RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "2", "RETWIS_TIMELINE_INLINE_FOLLOWERS": str(INLINE)}
MODES = ["push", "pull", "hybrid"]
MOST_PEOPLE = 7


class World(Deeds):
    """A server, its people, and the chaos around them."""

    def __init__(self, rng, mode):
        self.rng = rng
        self.model = Model()
        self.server = self.open(mode)
        self.people, self.uids = {}, {}
        self.stranger = self.nobody(self.server)
        self.number = 0
        self.begin = time.time()
        self.counts_unread = True
        self.quiet = True  # no job can be waiting
        for _ in range(4):
            self.sign_up()

    def open(self, mode):
        """What serves the site."""
        return Server(mode=mode, env=ENV)

    def close(self):
        """Ends it."""
        self.server.close()

    # --- what happens to them ---

    def start_acting(self):
        """Somebody acts; the returned function waits until it is acknowledged, and raises what went wrong."""
        trouble, name, kind = [], self.rng.choice(list(self.people)), self.choose_deed()

        def act():
            try:
                getattr(self, kind)(name)
            except BaseException as error:  # pylint: disable=broad-except
                trouble.append(error)

        doing = threading.Thread(target=act)
        doing.start()

        def finish():
            doing.join(limit(90))
            assert not doing.is_alive()
            self.quiet = False
            if trouble:
                raise trouble[0]
            self.wait_until_up()
            self.settle_after(kind)

        return finish

    def wait_until_up(self):
        """The engine can be asked."""
        self.server.wait_healthy()

    def crash(self, victim):
        """kill -9 of the server or the engine in the middle of somebody's request."""
        delay = self.rng.random() * 0.02
        finish = self.start_acting()
        time.sleep(delay)
        if victim == "engine":
            pid = self.pid
            if pid:
                os.kill(pid, 9)
        else:
            self.server.kill9()
            self.server.start(wait=False)
        finish()
        self.server.wait_healthy()
        self.pid = self.server.engine_pid()

    def lose_connections(self):
        """The engine drops all its clients while somebody acts."""
        finish = self.start_acting()
        with self.server.engine() as engine:
            for _ in range(3):
                engine("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
                time.sleep(0.002)
        finish()

    def run_out(self, name):
        """The home of somebody who was away for long is gone."""
        with self.server.engine() as engine:
            home = engine.keys(f"*:home:{self.uids[name]}")
            if home:
                engine("PEXPIRE", home[0], "1")
        time.sleep(0.005)

    def restart(self, mode):
        """Ends in order and starts, perhaps in another mode."""
        self.server.restart(RETWIS_TIMELINE_MODE=mode)
        self.pid = self.server.engine_pid()

    # --- looking ---

    def jobs(self):
        """What the engine still has to do: fields of each job."""
        with self.server.engine() as engine:
            ids = [i.decode() for key in engine.keys("*:jobs") for i in engine("ZRANGE", key, "0", "-1")]
            return [(i, engine("HGETALL", key)) for i in ids for key in engine.keys(f"*:job:{i}") or ["?"]]

    def settle(self):
        """Waits until no job is left."""
        try:
            wait_until(lambda: not self.jobs(), 30, "the queue of jobs is empty")
        except AssertionError as error:
            raise AssertionError(f"{self.jobs()}\n{self.server.log()[-3000:]}") from error
        self.model.settle()
        self.quiet = True

    def calm(self):
        """Whether nothing at all is under way, not even what cleans up after a deletion."""
        if self.jobs():
            return False
        self.model.settle()
        self.quiet = True
        return True

    def day_may_end(self):
        """Whether a day ended since all began, or nearly."""
        return follow_notices_may_differ(self.begin, time.time())

    def compare(self):
        """Everything, when the queue is empty."""
        self.settle()
        self.compare_everything()

    # --- the history ---

    def step(self, modes):
        """One step of the history."""
        name = self.rng.choice(list(self.people))
        kind = self.rng.choices(
            ["act", "look", "run out", "kill server", "kill engine", "lose", "restart", "sign up", "compare"],
            [62, 26, 4, 1.5, 1.5, 1.5, 1, 2, 0.5])[0]
        if kind == "act":
            self.act(name)
        elif kind == "look":
            self.look(name)
        elif kind == "run out":
            self.run_out(name)
        elif kind.startswith("kill"):
            self.crash(kind.split()[1])
        elif kind == "lose":
            self.lose_connections()
        elif kind == "restart":
            self.restart(self.rng.choice(modes))
        elif kind == "sign up" and len(self.people) < MOST_PEOPLE:
            self.sign_up()
        elif kind == "compare":
            self.compare()


def run(seed, modes, steps=STEPS):
    """One history. Each kind of crash happens in it at least once."""
    rng = random.Random(seed)
    world = World(rng, modes[0])
    try:
        world.pid = world.server.engine_pid()
        for number in range(steps):
            world.step(modes)
            if number == steps // 3:
                world.crash("server")
            elif number == 2 * steps // 3:
                world.crash("engine")
        world.compare()
    finally:
        world.close()


def new_seed(case):
    """A new one each time, printed, so that a failure can be repeated."""
    seed = int(os.environ.get("RETWIS_SEED", random.SystemRandom().randrange(10**9)))
    print(f"RETWIS_SEED={seed} ({case})")
    return seed


@pytest.mark.parametrize("modes", [[m] for m in MODES] + [MODES], ids=MODES + ["switching"])
def test_any_history_gives_the_pages_of_the_model(modes):
    """Short in every run, long by RETWIS_SOAK."""
    end = time.monotonic() + 60 * float(os.environ.get("RETWIS_SOAK", "0"))
    run(new_seed(modes), modes)
    while time.monotonic() < end:
        run(new_seed(modes), modes, steps=STEPS * 5)
