"""What must hold when a mixed load (retwis_load.py) is over: the site shows what was acknowledged, no more and no less."""

import collections
import re

from retwis_browser import Browser
from retwis_load import EDITED, PAGE, TAG, Written
from retwis_look import NOTICES, Looking
from retwis_model import ITSELF, Model, Post, differences
from retwis_page import Status
from retwis_process import wait_until

PUBLIC = 1000  # posts of the public timeline, and of a tag
MOST_THREADS = 1000  # that many posts with answers are looked at
HOME_PAGES = 8  # that many are compared of each home: the window has three, what lies below is merged
DISORDER_MS = 10_000  # see social/timeline.h: a list that is cut may have kept one that is older by so much


def jobs(server):
    """Ids of the jobs that wait or run."""
    with server.engine() as engine:
        return [i for key in engine.keys("*:jobs") for i in engine("ZRANGE", key, "0", "-1")]


def wait_for_jobs(server, seconds=60):
    """Until none is left: those of dead processes are taken over when their leases end."""
    wait_until(lambda: not jobs(server), seconds, "the queue of jobs is empty")


def check_errors(server, *options):
    """`retwis check` must find no error, at any moment. Returns what it found in caches: a delivery or a visit that was late by
    a moment may leave there what no page shows."""
    done = server.cli("check", *options, expect=None)
    assert done.returncode == 0 and "error " not in done.stdout, done
    return [line for line in done.stdout.splitlines()[:-1] if not line.startswith("note ")]


def check(server, *options):
    """It must find nothing at all."""
    found = check_errors(server, *options)
    assert not found, found


class Truth(Looking):
    """Compares everybody's pages with what was acknowledged. Reads the ids from the profiles, once those are right."""

    def __init__(self, people):
        self.people = {p.name: p for p in people}
        self.numbers = {}  # id: favourites and boosts, as the profiles say
        self.model = None

    def compare(self):
        """Everything but the public timeline."""
        for person in self.people.values():
            self.compare_profile(person)
        self.model = self.make_model()
        for person in self.people.values():
            self.compare_relations(person)
            self.compare_boosts(person)
            self.compare_home(person)
            self.compare_directs(person)
            self.compare_marks(person)
            self.compare_notices(person)
            self.must_talk(person.name, person.browser)
            self.compare_lists(person)
            self.compare_own_settings(person)
        self.compare_reactions()
        self.compare_versions()
        self.compare_threads()

    def make_model(self):
        """What was acknowledged, as the naive model has it. What was told of it is compared with the posts themselves."""
        model, posts = Model(), {}
        for name, person in self.people.items():
            model.sign_up(name)
            model.follows[name], model.blocks[name] = set(person.follows), set(person.blocks)
            model.mutes[name], model.hushed[name], model.interests[name] = set(person.mutes), set(person.hushed), set(person.interests)
            model.lists[name], model.asks[name] = person.lists, {p.name for p in self.people.values() if name in p.askers}
            for written, is_gone in ((person.live, False), (person.gone, True)):
                for text, w in written.items():
                    posts[w.id] = Post(text, name, w.visibility, w.parent, w.mentions, re.findall(r"#(\w+)", text))
                    posts[w.id].id, posts[w.id].is_gone = w.id, is_gone
        for post in posts.values():
            post.parent = post.parent and posts[post.parent]
        there = [p for p in posts.values() if not p.is_gone]
        for name, person in self.people.items():
            there += self.boosts_of(person, posts)
        model.posts = sorted(there, key=lambda p: int(p.id))
        for name, person in self.people.items():
            for mine, marks in ((model.favourites, person.favourites), (model.bookmarks, person.bookmarks)):
                mine[name] = {posts[i]: at for at, i in enumerate(marks) if not posts[i].is_gone}
        return model

    @staticmethod
    def boosts_of(person, posts):
        """Each of what he boosted and is there, once; the engine knows their ids."""
        uid = person.browser.cookie.split(".")[0]
        with person.browser.server.engine() as engine:
            pairs = [p.decode().split() for key in engine.keys(f"*:boosted:{uid}") for p in engine("ZRANGE", key, 0, -1)]
        expected = [i for i in person.boosts if not posts[i].is_gone]
        assert sorted(post for post, _ in pairs) == sorted(expected), (person.name, "boosts", pairs, expected)
        boosts = [Post(None, person.name, posts[i].visibility, boost=posts[i]) for i in expected]
        for boost in boosts:
            boost.id = dict(pairs)[boost.boost.id]
        return boosts

    def compare_profile(self, person):
        """Each acknowledged post once and in order; what was taken back is nowhere."""
        statuses = [s for s in person.browser.timeline(f"/@{person.name}/replies") if not s.booster]
        shown, expected = [s.text for s in statuses], person.newest()
        lost, more = set(expected) - set(shown), set(shown) - set(expected)
        twice = [t for t, n in collections.Counter(shown).items() if n > 1]
        assert not lost and not more and not twice, f"{person.name}: lost {lost}, never acknowledged {more}, twice {twice}"
        assert shown == expected, f"{person.name}: out of order"
        for status in statuses:
            person.live[status.text].id = status.id
            self.numbers[status.id] = [status.number(b) for b in ("favourite", "boost")]
        for post in person.gone.values():
            person.browser.get(f"/@{person.name}/{post.id}", expect=404)

    def compare_relations(self, person):
        """Both sides."""
        followers, own = self.model.followers(person.name), f"/@{person.name}"
        for path, expected in ((own + "/following", person.follows), (own + "/followers", followers),
                               ("/settings/blocks", person.blocks), ("/settings/mutes", person.mutes)):
            shown = [n for page in person.browser.pages(path) for n in page.names]
            assert sorted(shown) == sorted(expected), (person.name, path, shown, expected)
        counts = person.browser.get(own).counts
        assert counts == {**counts, **self.model.counts(person.name)}, (person.name, counts, self.model.counts(person.name))

    def compare_boosts(self, person):
        """Posts and boosts on his profile, in order."""
        shown = [s.entry for s in person.browser.timeline(f"/@{person.name}/replies")]
        expected = [p.id for p in self.model.profile(person.name, person.name)]
        assert shown == expected, (person.name, "profile", differences(shown, expected))

    def compare_home(self, person):
        """Complete, in order, once: its window and what is merged below it."""
        pages, expected = list(person.browser.pages("/home", HOME_PAGES)), self.model.home(person.name)
        try:
            self.must_go((person.name, "/home"), pages, expected, True)
        except AssertionError as error:
            shown = [s.entry for page in pages for s in page.statuses]
            raise AssertionError(self.explain(person, shown, [p.id for p in expected][:HOME_PAGES * PAGE])) from error

    def compare_directs(self, person):
        """What stands on no timeline is there for those whom it is for, and for nobody else."""
        others = list(self.people.values())
        for post in [p for p in self.model.posts if p.author == person.name and p.visibility == "direct"]:
            for reader in {post.author, *post.mentions, others[int(post.id) % len(others)].name}:
                expect = 200 if self.model.sees(reader, post, ITSELF) else 404
                self.people[reader].browser.get(f"/@{post.author}/{post.id}", expect=expect)

    def compare_lists(self, person):
        """Those that he has, in the order in which he made them, with their people and what these write."""
        rows = person.browser.get("/lists").all(".list-row")
        assert [row.one(".list-link")["href"] for row in rows] == [one.path for one in person.lists], (person.name, rows, person.lists)
        for one in person.lists:
            names = [n for page in person.browser.pages(f"{one.path}/members") for n in page.names]
            assert sorted(names) == sorted(one.members), (person.name, one.path, names, one.members)
            pages = list(person.browser.pages(one.path, HOME_PAGES))
            self.must_go((person.name, one.path), pages, self.model.chosen(person.name, one), True)

    def compare_own_settings(self, person):
        """Filters, and who waits to be let in."""
        words = [row.one(".name").text for row in person.browser.get("/settings/filters").all(".filter")]
        assert sorted(words) == sorted(person.filters), (person.name, "filters", words, person.filters)
        waiting = [n for page in person.browser.pages("/requests") for n in page.names]
        assert sorted(waiting) == sorted(person.askers), (person.name, "requests", waiting, person.askers)

    def compare_marks(self, person):
        """His favourites and bookmarks, in their order."""
        for path, marks in (("/favourites", self.model.favourites), ("/bookmarks", self.model.bookmarks)):
            expected = [p.id for p in self.model.marked(person.name, marks)]
            shown = person.browser.timeline_ids(path)
            assert shown == expected, (person.name, path, differences(shown, expected))

    def compare_reactions(self):
        """The other side of all favourites and boosts: numbers and names."""
        for post in [p for p in self.model.posts if p.visibility != "direct" and not p.boost]:
            both = self.model.fans(post), self.model.boosters(post)
            assert self.numbers[post.id] == [len(who) for who in both], (post, self.numbers[post.id], both)
            for what, who in zip(("favourites", "boosts"), both):
                pages = self.people[post.author].browser.pages(f"/posts/{post.id}/{what}") if who else ()
                names = [n for page in pages for n in page.names]
                assert sorted(names) == sorted(who), (post, what, names, who)

    def compare_versions(self):
        """Each edit once."""
        for person in self.people.values():
            for written in [w for w in person.live.values() if w.edits]:
                shown = len(person.browser.get(f"/posts/{written.id}/history").all(".versions li"))
                assert shown == 1 + min(20, written.edits), (person.name, written, shown)

    def compare_notices(self, person):
        """Each once. Whom people kept apart for a while may have been left out."""
        shown, counted = collections.Counter(), {}
        for row in (row for page in person.browser.pages(NOTICES) for row in page.all(".notice")):
            status, about = row.first("article.status"), row.first(".notice-about a")
            key = row["data-kind"], Status(status).text if status else about.text.strip() if about else None
            key = ("request", None) if key[0] == "request" else key
            more = re.search(r"and (\d+) other", row.one(".notice-what").text)
            shown[key] += key[0] not in ("follow", "request")
            counted[key] = counted.get(key, 0) + 1 + (int(more[1]) if more else 0)  # who follows is told by days, who asks by person
        twice = [key for key, times in shown.items() if times > 1]
        assert not twice, (person.name, "told twice", twice)
        who = self.whom_he_is_told_of(person.name)
        edited = {("update", p.boost.text) for p in self.model.posts if p.boost and p.author == person.name}  # if he boosted it before
        assert set(counted) <= set(who) | edited, (person.name, "told of", set(counted) - set(who) - edited)
        for key, people in who.items():
            fewest = len(people - person.once_apart)
            assert fewest <= counted.get(key, 0) <= len(people), (person.name, key, counted.get(key), people)

    def whom_he_is_told_of(self, name):
        """Kind and text: who."""
        model, who = self.model, {("follow", None): self.model.followers(name)}
        who["request", None] = set(self.people[name].askers)
        for post in [p for p in model.posts if not p.boost]:
            if post.author == name:
                who["favourite", post.text] = set(model.fans(post)) - {name}
                who["boost", post.text] = set(model.boosters(post)) - {name}
            elif post.addresses(name):
                who["reply" if post.answered == name else "mention", post.text] = {post.author}
        return {key: people for key, people in who.items() if people}

    def explain(self, person, shown, expected):
        """What is wrong with a home, and how it came to its page."""
        lacks = [(expected.index(i), i) for i in expected if i not in shown]
        again = [s.entry for s in person.browser.timeline("/home", HOME_PAGES)] == expected
        came = person.browser.server.cli("timeline", "show", person.name, expect=None).stdout
        with person.browser.server.engine() as engine:
            uid = person.browser.cookie.split(".")[0]
            state = [engine("HGETALL", key) for key in engine.keys(f"*:homestate:{uid}")]
            home = [engine("LRANGE", key, 0, -1) for key in engine.keys(f"*:home:{uid}")]
        log = [line for line in person.browser.server.log_lines() if any(i in line for _, i in lacks)]
        return (f"{person.name}: lacks (place, id) {lacks}, has {set(shown) - set(expected)}, order {shown == sorted(shown, key=int)}; "
                f"right when read again: {again}\n{state}\n{home}\n{came}\n{log}")

    def compare_threads(self):
        """Below each post stand the answers that are there and that its author sees, and theirs."""
        answered = {post.parent.id: post.parent for post in self.model.posts if post.parent and not post.parent.is_gone}
        for post in list(answered.values())[:MOST_THREADS]:
            path = f"/@{post.author}/{post.id}"
            pages = self.people[post.author].browser.pages(path)
            shown = [e["data-id"] for page in pages for e in page.all(".thread article.status")]
            expected = [p.id for p in self.model.below(post.author, post)]
            assert shown == expected, (path, differences(shown, expected))

    def compare_public(self, written):
        """The newest 1000 of all, in order and once; likewise with the tag that every post has. A list that was cut and
        then lost some to deletions is filled up with new posts first. Read by somebody new, who keeps nobody apart."""
        someone = next(iter(self.people.values()))
        reader = Browser(someone.browser.server)
        lists = ("/public", f"/tags/{TAG}")
        fewest = min(len(reader.timeline_ids(path)) for path in lists)
        for _ in range(PUBLIC - fewest if written > PUBLIC else 0):
            someone.number += 1
            text = f"{someone.number} by {someone.name} #{TAG}"
            someone.live[text] = Written()
            someone.browser.post_quickly(text)
        self.compare_profile(someone)
        model = self.make_model()
        for path, tag in ((lists[0], None), (lists[1], TAG), (f"/tags/{EDITED}", EDITED)):
            self.compare_list(reader.timeline_ids(path), [p.id for p in model.public(None, tag)], path)

    @staticmethod
    def compare_list(shown, everything, path):
        """A list is cut by arrival, which is only nearly the order of ids: its oldest may be others of the same moment."""
        expected = everything[:PUBLIC]
        assert len(shown) == len(expected) and shown == sorted(set(shown), key=int, reverse=True), (path, len(shown))
        other = set(shown) ^ set(expected)
        edge = int(expected[-1]) >> 16 if expected else 0
        assert all(abs((int(i) >> 16) - edge) < DISORDER_MS for i in other), (path, other)
