"""The promise of test_property.py for two servers on one engine, whose clocks are wrong and move, as the engine's does; which change
the mode one after the other; and whose engine is set back to an older log.

Every request goes to either server. The model's order is that of ids, because two servers agree on the time only as exactly as the
engine answers quickly. RETWIS_SEED and RETWIS_SOAK as there.
"""

import copy
import os
import random
import shutil
import time

import requests

from retwis_clock import Clock
from retwis_server import RedisServer, Server, limit, patience, wait_until
from test_property import ENV, MOST_PEOPLE, MODES, World, new_seed

STEPS = 90
SECONDS = 40  # by which clocks are wrong at most


class Pair(World):
    """Two servers and all that can be wrong with their clocks."""

    def __init__(self, rng, mode):
        self.snapshot = None
        self.engine_shift = 0
        super().__init__(rng, mode)
        self.counts_unread = False  # "since then" means little when the engine's clock moves

    def open(self, mode):
        self.clocks = [Clock(), Clock()]
        self.engine_clock = Clock()
        self.redis = RedisServer(clock=self.engine_clock)
        self.servers = [Server(engine=self.redis, mode=mode, env={**ENV, **c.env()}) for c in self.clocks]
        return self.servers[0]

    def close(self):
        for server in self.servers:
            server.close()
        self.redis.close()
        for clock in self.clocks + [self.engine_clock]:
            clock.close()

    # --- people ---

    def go_anywhere(self):
        """The next requests of everybody go to either server, but to none that does not serve the site's mode."""
        mode = self.mode()
        serving = [s for s in self.servers if s.env["RETWIS_TIMELINE_MODE"] == mode] or self.servers
        for person in self.people.values():
            person.server = self.rng.choice(serving)
        self.server = self.stranger.server = self.rng.choice(serving)

    def mode(self):
        """The site's."""
        with self.redis.engine() as engine:
            return engine("HGET", "{0}:site", "mode").decode()

    def write(self, name, parent, visibility):
        super().write(name, parent, visibility)
        self.model.posts.sort(key=lambda post: post.id)

    def boost(self, name):
        super().boost(name)
        self.model.posts.sort(key=lambda post: post.id)

    def expect(self, check, *args):
        """A server hears of what the other did a moment later: right in the end is right."""
        def holds():
            try:
                check(*args)
                return True
            except AssertionError as error:
                wrong[:] = [error]
                return False

        wrong = []
        try:
            wait_until(holds, 5, "both servers know")
        except AssertionError:
            raise wrong[0] from None

    # --- what happens to them ---

    def wait_until_up(self):
        """Its engine runs on, and of the servers one may not serve the site's mode just now."""

    def move_clock(self):
        """Of one of the servers: nobody is to notice."""
        self.rng.choice(self.clocks).set(self.rng.uniform(-SECONDS, SECONDS))

    def notices(self):
        """How often each server has said that the engine's clock went back."""
        return [s.log().count("the engine's clock was set back") for s in self.servers]

    def move_engine(self):
        """The engine's: what has happened is noticed within a second or so."""
        old, self.engine_shift = self.engine_shift, self.rng.uniform(-SECONDS, SECONDS)
        if self.engine_shift < old - 5:
            time.sleep(max(4, patience(1.5)))  # so that what it said before was seen; else there is nothing to notice
        before = self.notices()
        self.engine_clock.set(self.engine_shift)
        if self.engine_shift < old - 5:
            wait_until(lambda: all(n > b for n, b in zip(self.notices(), before)), 10, "both servers notice")
        self.quiet = False

    def kill_one(self):
        """kill -9 of one server in the middle of somebody's request."""
        finish = self.start_acting()
        time.sleep(self.rng.random() * 0.02)
        victim = self.rng.choice(self.servers)
        victim.kill9()
        victim.start(wait=False)
        finish()
        victim.wait_healthy()
        self.quiet = False

    def change_mode(self):
        """One server after the other, and people go on meanwhile, at both."""
        modes = [m for m in MODES if m != self.mode()]
        mode, order = self.rng.choice(modes), self.rng.sample(self.servers, 2)
        finish = self.start_acting()
        order[0].restart(RETWIS_TIMELINE_MODE=mode)
        finish()
        for _ in range(4):
            for person in self.people.values():
                person.server = self.rng.choice(self.servers)
            self.look(self.rng.choice(list(self.people)))
            self.act(self.rng.choice(list(self.people)))
        self.server = order[0]
        order[1].stop()
        order[1].env["RETWIS_TIMELINE_MODE"] = mode
        order[1].start()
        self.quiet = False

    def ask(self, name, path, **fields):
        """Tries the other server when one does not serve."""
        end = time.monotonic() + limit(60)
        while time.monotonic() < end:
            try:
                page = self.people[name].action(path, follow=False, timeout=limit(15), **fields)
                if page.status < 500:
                    return page
            except (requests.RequestException, AssertionError):
                pass
            self.people[name].server = self.rng.choice(self.servers)
            time.sleep(0.02)
        raise AssertionError(f"{name} {path} is never answered")

    def keep(self):
        """A copy of the engine's data at this moment, and of what they mean."""
        self.settle()
        self.redis.stop()
        target = self.redis.directory + ".kept"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.redis.directory, target, ignore=shutil.ignore_patterns("*.sock", "log"))
        self.back_up()
        self.snapshot = copy.deepcopy(self.model), set(self.people)

    def set_back(self):
        """The engine has the data of then. Whoever signed up since is unknown to it."""
        if not self.snapshot:
            self.keep()
            return
        self.model, people = self.snapshot
        self.people = {n: p for n, p in self.people.items() if n in people}
        self.redis.kill9()
        kept = self.redis.directory + ".kept"
        shutil.rmtree(os.path.join(self.redis.directory, "appendonlydir"))
        shutil.copytree(os.path.join(kept, "appendonlydir"), os.path.join(self.redis.directory, "appendonlydir"))
        shutil.rmtree(kept)
        self.snapshot = None
        self.model.settled = set()
        self.back_up()
        self.compare()

    def back_up(self):
        """The engine runs again."""
        self.redis.start()
        for server in self.servers:
            server.wait_healthy()

    # --- the history ---

    def step(self, modes):
        self.go_anywhere()
        name = self.rng.choice(list(self.people))
        kind, = self.rng.choices(["act", "look", "run_out", "move_clock", "move_engine", "kill_one", "lose_connections",
                                  "sign_up", "compare"], [58, 26, 4, 4, 2, 1.5, 1.5, 1, 1])
        if kind in ("act", "look", "run_out"):
            getattr(self, kind)(name)
        elif kind != "sign_up" or len(self.people) < MOST_PEOPLE:
            getattr(self, kind)()


def run(seed, modes, steps):
    """One history; each of the rarer things happens at least once."""
    rng = random.Random(seed)
    world = Pair(rng, rng.choice(modes))
    try:
        for number in range(steps):
            world.step(modes)
            if number % 30 == 10:
                world.set_back()
            elif number % 30 == 20:
                world.move_engine()
            elif number == steps // 2 and len(modes) > 1:
                world.change_mode()
        world.go_anywhere()
        world.compare()
        assert world.server.cli("check", "--homes", expect=None).returncode == 0
    finally:
        shutil.rmtree(world.redis.directory + ".kept", ignore_errors=True)
        world.close()


def test_two_servers_and_three_clocks():
    """Short in every run, long by RETWIS_SOAK."""
    end = time.monotonic() + 60 * float(os.environ.get("RETWIS_SOAK", "0"))
    run(new_seed("pair"), MODES, STEPS)
    while time.monotonic() < end:
        run(new_seed("pair"), MODES, STEPS * 3)
