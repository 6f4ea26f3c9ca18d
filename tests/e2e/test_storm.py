"""Many people at once: races that a history one step after another cannot show. The check is the truth itself: when the
storm is over, every home is made of the profiles of those whom its owner follows, no more, no less, in order.
"""

import concurrent.futures
import os
import random
import threading
import time

import pytest
import requests

from retwis_process import resident_mib
from retwis_server import IS_STATIC, PASSWORD, Browser, RedisServer, Server, limit, wait_until

SMALL = {"RETWIS_TIMELINE_PAGE": "10", "RETWIS_TIMELINE_SIZE": "25", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "4"}
SECONDS = 5


class Person(threading.Thread):
    """Posts, deletes, follows, unfollows and reads at random until told to stop. What he reads must make sense."""

    def __init__(self, browser, names, seed):
        super().__init__(daemon=True)
        self.browser = browser
        self.browser.token()
        self.names = [n for n in names if n != browser.name]
        self.random = random.Random(seed)
        self.leave = threading.Event()
        self.done = 0
        self.failure = None

    def run(self):
        try:
            while not self.leave.is_set():
                self.step()
                self.done += 1
        except Exception as e:  # pylint: disable=broad-except - told to the test, whatever it is
            self.failure = e

    def step(self):
        """One thing."""
        kind = self.random.choices(["post", "delete", "follow", "unfollow", "read"], [40, 8, 8, 7, 37])[0]
        other = self.random.choice(self.names)
        if kind == "post":
            self.browser.post_quickly(f"{self.done} by {self.browser.name}")
        elif kind == "delete":
            mine = self.browser.get(f"/@{self.browser.name}").ids
            if mine:
                assert self.browser.delete(self.random.choice(mine), follow=False).status == 303
        elif kind == "read":
            for page in self.browser.pages("/home", 3):
                ids = [int(i) for i in page.ids]
                assert ids == sorted(set(ids), reverse=True), "in order and nothing twice"
        else:
            assert self.browser.action(f"/@{other}/{kind}", follow=False).status == 303


def truth(browser):
    """What this person's home must be, from the profiles of those whom he follows."""
    names = [browser.name]
    for page in browser.pages(f"/@{browser.name}/following"):
        names += page.names
    ids = [i for name in names for i in browser.timeline_ids(f"/@{name}")]
    return sorted(ids, key=int, reverse=True)


def storm(people_on):
    """Runs everybody for a while, then compares all homes."""
    seed = int(os.environ.get("RETWIS_SEED", random.SystemRandom().randrange(10**9)))
    print(f"RETWIS_SEED={seed}")
    names = [b.name for b in people_on]
    people = [Person(b, names, seed + i) for i, b in enumerate(people_on)]
    for person in people:
        person.start()
    time.sleep(SECONDS)
    for person in people:
        person.leave.set()
    for person in people:
        person.join(limit(30))
        assert not person.is_alive()
        if person.failure:
            raise person.failure
    print("steps:", [p.done for p in people])
    for browser in people_on:
        expected = truth(browser)
        wait_until(lambda b=browser, e=expected: b.timeline_ids("/home") == e, 15, f"the home of {browser.name} is right")


@pytest.mark.parametrize("mode", ["push", "pull"])
@pytest.mark.parametrize("inline", ["1000", "1"])
def test_homes_after_a_storm(mode, inline):
    """One server; deliveries in the request, or nearly all behind it."""
    with Server(mode=mode, env={**SMALL, "RETWIS_TIMELINE_INLINE_FOLLOWERS": inline}) as server:
        storm([Browser(server).sign_up(f"person{i}") for i in range(6)])


@pytest.mark.parametrize("mode", ["push", "pull"])
def test_homes_after_a_storm_on_two_servers(mode):
    """Two servers that share an engine: caches of one, changes of the other."""
    with RedisServer() as redis:
        with Server(engine=redis, mode=mode, env=SMALL) as one, Server(engine=redis, mode=mode, env=SMALL) as two:
            storm([Browser((one, two)[i % 2]).sign_up(f"person{i}") for i in range(6)])


def test_follow_and_unfollow_race():
    """The same button from many windows: the numbers are those of the lists whatever the order was."""
    with Server() as server:
        alice, bob = [Browser(server).sign_up(n) for n in ("alice", "bob")]
        windows = []
        for _ in range(4):
            window = Browser(server)
            window.session.cookies.set("retwis", alice.cookie)
            window.name = "alice"
            window.token()
            windows.append(window)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda w: [w.action(f"/@bob/{('follow', 'unfollow')[i % 2]}", follow=False)
                                     for i in range(25)], windows))
        follows = alice.get("/@alice/following").names
        wait_until(lambda: alice.get("/@bob/followers").names == ["alice"] * len(follows), 10, "both sides agree")
        counts = alice.get("/@bob").counts["followers"], alice.get("/home").counts["following"]
        assert counts == (len(follows), len(follows)) and len(follows) <= 1
        assert bob.get("/home").ids == []


def test_flood_of_sign_ins():
    """Passwords are costly to check. Sixty at once: bounded memory, the rest is told to come back, readers wait for
    nobody."""
    with Server() as server:
        Browser(server).sign_up("victim").post("readable")
        browsers = [Browser(server) for _ in range(60)]
        for browser in browsers:
            browser.token()
        reader, peak, read = Browser(server), 0, 0
        with concurrent.futures.ThreadPoolExecutor(60) as pool:
            answers = [pool.submit(b.action, "/auth/sign_in", follow=False, username="victim",
                                   password=PASSWORD if i % 2 else "wrong password") for i, b in enumerate(browsers)]
            while not all(a.done() for a in answers):
                assert reader.get("/public").texts == ["readable"]
                read += 1
                peak = max(peak, resident_mib(server.process.pid))
        pages = [a.result() for a in answers]
        statuses = [p.status for p in pages]
        assert set(statuses) <= {303, 422, 503} and statuses.count(503) > 0, statuses
        assert statuses.count(303) + statuses.count(422) >= 2
        for page in pages:
            if page.status == 503:
                assert int(page.headers["Retry-After"]) > 0
                assert page.form("form.sign-in").values["username"] == "victim"
        assert peak < 200 or not IS_STATIC, f"{peak} MiB"
        Browser(server).sign_in("victim")
        assert read > 3, "pages while passwords are checked"
        print(f"{statuses.count(503)} told to come back, {peak} MiB, {read} pages meanwhile")


def test_many_connections(server):
    """A hundred visitors at once each get their page."""
    def visit(_):
        with requests.Session() as session:
            session.trust_env = False
            return [session.get(server.url + "/public", timeout=limit(20)).status_code for _ in range(3)]

    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        assert set(sum(pool.map(visit, range(100)), [])) == {200}
