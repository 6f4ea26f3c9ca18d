"""The promise of the timelines, whatever happens: random histories with crashes, against a naive model.

Signing up, following (one and many), posting for all or few, answering, mentioning, deleting, favouriting, keeping, blocking, muting,
taking followers away, boosting, reading, homes that run out, switches of mode, restarts, kill -9 of the server and of the engine at a
random moment, lost connections. A person whose request was not answered sends it again, with the same idempotency key, until it
is. Then:

- at every moment a page holds nothing its reader may not see, in order and once, and lacks nothing that was acknowledged
  before the queue of jobs was last empty;
- once the queue is empty, every page of every timeline is that of the model, downwards and upwards; and so are conversations,
  favourites, bookmarks, notices, relations and all their numbers.

The model is retwis_model.py, what it is compared with retwis_look.py; here are the deeds and the chaos.

The seed is printed; RETWIS_SEED repeats a history. RETWIS_SOAK=<minutes> goes on that long with new seeds (make soak).
"""

import os
import random
import threading
import time
import uuid

import pytest
import requests

from retwis_look import NOTICES, PAGE, TAGS, TROUBLE, Looking, follow_notices_may_differ
from retwis_model import ITSELF, Model, Post
from retwis_server import Browser, EngineError, Server, limit, wait_until

STEPS = 140
INLINE = 2
ENV = {"RETWIS_TIMELINE_PAGE": str(PAGE), "RETWIS_TIMELINE_SIZE": "10", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "2",
       "RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "2", "RETWIS_TIMELINE_INLINE_FOLLOWERS": str(INLINE)}
MODES = ["push", "pull", "hybrid"]
MOST_PEOPLE = 7


DEEDS = {"post": 44, "follow": 15, "unfollow": 7, "delete": 8, "favourite": 12, "unfavourite": 3, "boost": 9, "unboost": 2, "bookmark": 4, "unbookmark": 1,
         "remove": 2, "block": 3, "unblock": 4, "mute": 4, "unmute": 3, "read_notices": 1.5, "clear_notices": 1}
# While a delivery or a notice may be under way, it is not known whether it comes before one of these.
NEED_CALM = {"block", "unblock", "mute", "unmute", "read_notices", "clear_notices"}
VISIBILITIES = {"public": 70, "unlisted": 10, "private": 14, "direct": 6}


class World(Looking):
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

    def must_answer(self, page, status):
        """The answer that was expected."""
        assert page.status == status, (status, page.summary)

    def sign_up(self):
        """One more person."""
        name = f"person{len(self.people)}"
        self.people[name] = Browser(self.server).sign_up(name)
        self.people[name].token()
        self.uids[name] = int(self.people[name].cookie.split(".")[0])
        self.model.sign_up(name)

    def some_post(self, name):
        """One of the newest, mostly one that he sees."""
        posts = self.written(30)
        seen = [p for p in posts if self.model.sees(name, p, ITSELF)]
        return self.rng.choice(seen if seen and self.rng.random() < 0.85 else posts) if posts else None

    def others(self, name):
        """All but him."""
        return [n for n in self.people if n != name]

    def post(self, name):
        """Writes a post, later than any before; of its own, or as an answer, which is refused if he does not see what it answers."""
        self.number += 1
        parent = self.some_post(name) if self.rng.random() < 0.4 else None
        visibility, = self.rng.choices(list(VISIBILITIES), VISIBILITIES.values())
        mentions = self.rng.sample(list(self.people), self.rng.choice([0, 0, 0, 1, 1, 2]))
        tag = TAGS[self.number % 2]
        text = " ".join([f"{self.number} by {name}", *[f"@{n}" for n in mentions], f"#{tag}"])
        fields = {"in_reply_to_id": parent.id} if parent else {}
        time.sleep(0.0011)
        page = self.ask(name, "/posts", status=text, visibility=visibility, idempotency_key=str(uuid.uuid4()), next="/home", **fields)
        if parent and not self.model.sees(name, parent, ITSELF):
            self.must_answer(page, 422)
            return
        self.must_answer(page, 303)
        post = Post(text, name, visibility, parent, mentions, [tag])
        post.id = self.newest_id(name, visibility)
        self.model.post(post)
        if len(self.model.followers(name)) > INLINE:  # the workers go on after the answer
            self.quiet = False

    def newest_id(self, name, visibility):
        """Of the post that he wrote just now, by the engine's word."""
        uid = self.uids[name]

        def ask():
            try:
                with self.server.engine() as engine:
                    key = f"{{{uid >> 6 & 1023}}}:%s:{uid}"
                    if visibility == "direct":
                        return engine("ZRANGE", key % "directs", "+", "-", "BYLEX", "REV", "LIMIT", 0, 1)[0].decode()
                    return engine("GET", key % "newest").decode()
            except (OSError, EngineError):  # this connection was lost as well
                return None

        return wait_until(ask, 40, "the id of the post")

    def delete(self, name):
        """Takes one of the newest back. Gone already (a retry) is as good."""
        mine = [post for post in self.written(40) if post.author == name]
        if mine:
            post = self.rng.choice(mine)
            page = self.ask(name, f"/posts/{post.id}/delete", next="/home")
            assert page.status in (303, 404), page.summary
            self.model.delete(post)

    def relate(self, name, on):
        """Follows or unfollows one or some. Between people one of whom blocks the other nobody follows."""
        others = self.others(name)
        chosen = self.rng.sample(others, self.rng.randint(1, len(others)))
        change = self.model.follow if on else self.model.unfollow
        if len(chosen) == 1 or self.rng.random() < 0.6:
            page = self.ask(name, f"/@{chosen[0]}/{'follow' if on else 'unfollow'}", next="/home")
            self.must_answer(page, 303)
            change(name, chosen[0])
            return
        page = self.ask(name, "/follow" if on else "/unfollow", names=", ".join(chosen))
        self.must_answer(page, 200)
        done = {e["data-name"]: e["data-ok"] == "true" for e in page.all(".result")}
        expected = {other: change(name, other) is not False for other in chosen}
        assert done == expected, (name, on, done, expected)

    def follow(self, name):
        """See relate."""
        self.relate(name, True)

    def unfollow(self, name):
        """See relate."""
        self.relate(name, False)

    def person_deed(self, name, others, verb, change, **fields):
        """Does something to one of these people."""
        if others:
            other = self.rng.choice(sorted(others))
            self.must_answer(self.ask(name, f"/@{other}/{verb}", next="/home", **fields), 303)
            change(name, other)

    def remove(self, name):
        """Takes a follower away."""
        self.person_deed(name, self.model.followers(name), "remove", lambda me, other: self.model.unfollow(other, me))

    def block(self, name):
        """Blocks somebody; perhaps one whom he blocks already."""
        self.person_deed(name, self.others(name), "block", self.model.block)

    def unblock(self, name):
        """Blocks somebody no more."""
        self.person_deed(name, self.model.blocks[name], "unblock", lambda me, other: self.model.blocks[me].discard(other))

    def mute(self, name):
        """Mutes somebody, with his notifications or without."""
        hush = self.rng.random() < 0.5
        self.person_deed(name, self.others(name), "mute", lambda me, other: self.model.mute(me, other, hush),
                         notifications="true" if hush else "")

    def unmute(self, name):
        """Mutes somebody no more."""
        self.person_deed(name, self.model.mutes[name], "unmute", self.model.unmute)

    def mark(self, name, verb, change, post):
        """Does something with a post; it is as if what he does not see did not exist."""
        if post:
            page = self.ask(name, f"/posts/{post.id}/{verb}", next="/home")
            self.must_answer(page, 404 if change(name, post) is False else 303)

    def favourite(self, name):
        """One of the newest posts."""
        self.mark(name, "favourite", self.model.favourite, self.some_post(name))

    def unfavourite(self, name):
        """What he favourited, or did not."""
        mine = list(self.model.favourites[name])
        self.mark(name, "unfavourite", self.model.unfavourite, self.rng.choice(mine) if mine else self.some_post(name))

    def boost(self, name):
        """One of the newest posts; nothing more happens if he did before."""
        post = self.some_post(name)
        if not post:
            return
        time.sleep(0.0011)
        answer = self.model.boost(name, post)
        self.must_answer(self.ask(name, f"/posts/{post.id}/boost", next="/home"), answer)
        if answer == 303 and not self.model.boost_of(name, post):
            boost = Post(None, name, post.visibility, boost=post)
            boost.id = self.newest_id(name, post.visibility)
            self.model.add_boost(boost)
            self.quiet = self.quiet and len(self.model.followers(name)) <= INLINE

    def unboost(self, name):
        """What he boosted, or did not."""
        mine = [p.boost for p in self.model.posts if p.boost and p.author == name]
        self.mark(name, "unboost", self.model.unboost, self.rng.choice(mine) if mine else self.some_post(name))

    def bookmark(self, name):
        """One of the newest posts."""
        self.mark(name, "bookmark", self.model.bookmark, self.some_post(name))

    def unbookmark(self, name):
        """What he kept."""
        mine = list(self.model.bookmarks[name])
        self.mark(name, "unbookmark", self.model.unbookmark, self.rng.choice(mine) if mine else None)

    def notices_deed(self, name, verb, change):
        """Does something with all that he was told."""
        page = self.page_of(name, NOTICES)
        if page.first(f"form.notices-{verb}"):
            until = page.form(f"form.notices-{verb}").values["until"]
            self.must_answer(self.ask(name, f"/notifications/{verb}", until=until, next="/home"), 303)
            change(name)

    def read_notices(self, name):
        """Marks all as seen."""
        self.notices_deed(name, "read", self.model.read_notices)

    def clear_notices(self, name):
        """Takes all away."""
        self.notices_deed(name, "clear", self.model.clear_notices)

    def page_of(self, name, path):
        """A page, asked for again and again while the server is away."""
        end = time.monotonic() + limit(60)
        while True:
            try:
                return self.people[name].get(path)
            except TROUBLE:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

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
            if kind in ("block", "unblock"):  # the other learns of it by the job, and what he does until then is neither right nor wrong
                self.server.wait_healthy()
                self.settle()
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

    def choose_deed(self):
        """What somebody does next. What needs calm becomes a post while there is none."""
        kind, = self.rng.choices(list(DEEDS), DEEDS.values())
        return kind if kind not in NEED_CALM or self.calm() else "post"

    def act(self, name):
        """Something that changes the data."""
        kind = self.choose_deed()
        getattr(self, kind)(name)
        if kind in ("block", "unblock"):  # if a connection was lost in between, the other learns of it by the job
            self.settle()

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
