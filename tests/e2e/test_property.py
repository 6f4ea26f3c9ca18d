"""The promise of the timelines, whatever happens: random histories with crashes, against a naive model.

Signing up, following (one and many), posting, deleting, reading, homes that run out, switches of mode, restarts, kill -9 of
the server and of the engine at a random moment, lost connections. A person whose request was not answered sends it again,
with the same idempotency key, until it is. Then:

- at every moment a page holds nothing its reader may not see, in order and once, and lacks nothing that was acknowledged
  before the queue of jobs was last empty;
- once the queue is empty, every page of every timeline is that of the model, downwards and upwards.

The seed is printed; RETWIS_SEED repeats a history. RETWIS_SOAK=<minutes> goes on that long with new seeds (make soak).
"""

import os
import random
import threading
import time
import uuid

import pytest
import requests

from retwis_server import Browser, Server, limit, wait_until

PAGE = 4
STEPS = 140
INLINE = 2
ENV = {"RETWIS_TIMELINE_PAGE": str(PAGE), "RETWIS_TIMELINE_SIZE": "10", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "2",
       "RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "2", "RETWIS_TIMELINE_INLINE_FOLLOWERS": str(INLINE)}
MODES = ["push", "pull", "hybrid"]
MOST_PEOPLE = 7


class Model:
    """What everybody should see, computed in the most simple-minded way."""

    def __init__(self):
        self.posts = []  # (text, author), oldest first
        self.follows = {}
        self.settled = set()  # texts acknowledged before the queue was last empty

    def home(self, name):
        """Texts of the home timeline, newest first."""
        return [text for text, author in reversed(self.posts) if author in self.follows[name] | {name}]

    def settle(self):
        """The queue is empty: from here on everything written so far must show."""
        self.settled = {text for text, _ in self.posts}


class World:
    """A server, its people, and the chaos around them."""

    def __init__(self, rng, mode):
        self.rng = rng
        self.model = Model()
        self.server = self.open(mode)
        self.people = {}
        self.ids = {}
        self.number = 0
        self.quiet = True  # no job can be waiting
        for _ in range(3):
            self.sign_up()

    def open(self, mode):
        """What serves the site."""
        return Server(mode=mode, env=ENV)

    def close(self):
        """Ends it."""
        self.server.close()

    # --- what people do, until it is acknowledged ---

    def ask(self, name, path, **fields):
        """Sends a form again and again until it is answered by something that is not the server's trouble."""
        person = self.people[name]
        end = time.monotonic() + limit(60)
        while time.monotonic() < end:
            try:
                page = person.action(path, follow=False, timeout=limit(15), **fields)
                if page.status < 500:
                    return page
            except (requests.RequestException, AssertionError):  # no answer, or no token to send with it
                pass
            time.sleep(0.02)
        raise AssertionError(f"{name} {path} is never answered")

    def sign_up(self):
        """One more person."""
        name = f"person{len(self.people)}"
        self.people[name] = Browser(self.server).sign_up(name)
        self.people[name].token()
        self.model.follows[name] = set()

    def post(self, name):
        """Writes a post, later than any before."""
        self.number += 1
        text = f"{self.number} by {name}"
        time.sleep(0.0011)
        page = self.ask(name, "/posts", status=text, idempotency_key=str(uuid.uuid4()), next="/home")
        assert page.status == 303, page.summary
        self.model.posts.append((text, name))
        followers = sum(name in follows for follows in self.model.follows.values())
        if followers > INLINE:  # the workers go on after the answer
            self.quiet = False

    def delete(self, name):
        """Takes one of the newest back. Gone already (a retry) is as good."""
        mine = [text for text, author in self.model.posts[-40:] if author == name]
        if mine:
            text = self.rng.choice(mine)
            page = self.ask(name, f"/posts/{self.id_of(name, text)}/delete", next="/home")
            assert page.status in (303, 404), page.summary
            self.model.posts.remove((text, name))

    def id_of(self, name, text):
        """Looks the post up on its author's profile, again and again while the server is away."""
        end = time.monotonic() + limit(60)
        while time.monotonic() < end:
            try:
                pages = self.people[name].pages(f"/@{name}")
                found = [s.id for page in pages for s in page.statuses if s.text == text]
                assert len(found) <= 1, found
                if not found:
                    raise LookupError(f"{text!r} was acknowledged and is not on the profile of {name}")
                return found[0]
            except (requests.RequestException, AssertionError):
                time.sleep(0.02)
        raise AssertionError(f"the profile of {name} is never shown")

    def relate(self, name, on):
        """Follows or unfollows one or some."""
        others = [n for n in self.people if n != name]
        chosen = self.rng.sample(others, self.rng.randint(1, len(others)))
        if len(chosen) == 1 or self.rng.random() < 0.6:
            chosen = chosen[:1]
            page = self.ask(name, f"/@{chosen[0]}/{'follow' if on else 'unfollow'}", next="/home")
        else:
            page = self.ask(name, "/follow" if on else "/unfollow", names=", ".join(chosen))
        assert page.status in (200, 303), page.summary
        (self.model.follows[name].update if on else self.model.follows[name].difference_update)(chosen)

    # --- what happens to them ---

    def start_acting(self):
        """Somebody acts; the returned function waits until it is acknowledged, and raises what went wrong."""
        trouble = []

        def act(name):
            try:
                self.act(name)
            except BaseException as error:  # pylint: disable=broad-except
                trouble.append(error)

        doing = threading.Thread(target=act, args=(self.rng.choice(list(self.people)),))
        doing.start()

        def finish():
            doing.join(limit(90))
            assert not doing.is_alive()
            if trouble:
                raise trouble[0]
        return finish

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
        self.quiet = False

    def lose_connections(self):
        """The engine drops all its clients while somebody acts."""
        finish = self.start_acting()
        with self.server.engine() as engine:
            for _ in range(3):
                engine("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
                time.sleep(0.002)
        finish()
        self.quiet = False

    def run_out(self, name):
        """The home of somebody who was away for long is gone."""
        with self.server.engine() as engine:
            user = engine("GET", engine.one_key(f"*:name:{name}")).decode()
            home = engine.keys(f"*:home:{user}")
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

    def look(self, name):
        """A page of somebody's home at this moment: exact when nothing is under way, else within the promise."""
        shown = [text for page in self.people[name].pages("/home", self.rng.choice([1, 1, 3])) for text in page.texts]
        expected = self.model.home(name)
        if self.quiet:
            assert shown == expected[:len(shown)] and len(shown) >= min(PAGE, len(expected)), (name, shown, expected)
            return
        places = [expected.index(text) if text in expected else None for text in shown]
        assert None not in places, (name, "may not be seen", shown, expected[:20])
        assert places == sorted(set(places)), (name, "order", shown, expected[:20])
        reach = len(expected) if len(shown) < PAGE else places[-1]
        missing = [t for t in expected[:reach] if t in self.model.settled and t not in shown]
        assert not missing, (name, "missing", missing, shown)

    def compare(self):
        """Everything, when the queue is empty."""
        self.settle()
        for name, person in self.people.items():
            own = [text for text, author in reversed(self.model.posts) if author == name]
            public = [text for text, _ in reversed(self.model.posts)]
            for path, expected in (("/home", self.model.home(name)), (f"/@{name}", own), ("/public", public)):
                pages = list(person.pages(path))
                assert [t for p in pages for t in p.texts] == expected, (name, path)
                up, page = [], pages[-1]
                while page.newer:
                    page = person.get(page.newer)
                    up = page.texts + up
                assert up == expected[:len(expected) - len(pages[-1].texts)], (name, path, "upwards")

    # --- the history ---

    def act(self, name):
        """Something that changes the data."""
        kind = self.rng.choices(["post", "follow", "unfollow", "delete"], [60, 18, 10, 12])[0]
        if kind in ("post", "delete"):
            getattr(self, kind)(name)
        else:
            self.relate(name, kind == "follow")

    def step(self, modes):
        """One step of the history."""
        name = self.rng.choice(list(self.people))
        kind = self.rng.choices(
            ["act", "look", "run out", "kill server", "kill engine", "lose", "restart", "sign up", "compare"],
            [62, 26, 5, 1.5, 1.5, 1.5, 1, 1, 0.5])[0]
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
