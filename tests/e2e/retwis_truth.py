"""What must hold when a mixed load (retwis_load.py) is over: the site shows what was acknowledged, no more and no less."""

import collections

from retwis_load import PAGE, TAG
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


class Truth:
    """Compares everybody's pages with what was acknowledged. Reads the ids from the profiles, once those are right."""

    def __init__(self, people):
        self.people = {p.name: p for p in people}
        self.ids = {}  # of each person's posts, newest first

    def compare(self):
        """Everything but the public timeline."""
        for person in self.people.values():
            self.compare_profile(person)
        for person in self.people.values():
            self.compare_relations(person)
            self.compare_home(person)
        self.compare_replies()

    def compare_profile(self, person):
        """Each acknowledged post once and in order; what was taken back is nowhere."""
        statuses = person.browser.timeline(f"/@{person.name}")
        shown, expected = [s.text for s in statuses], person.newest()
        lost, more = set(expected) - set(shown), set(shown) - set(expected)
        twice = [t for t, n in collections.Counter(shown).items() if n > 1]
        assert not lost and not more and not twice, f"{person.name}: lost {lost}, never acknowledged {more}, twice {twice}"
        assert shown == expected, f"{person.name}: out of order"
        counts = person.browser.get(f"/@{person.name}").counts
        assert counts["statuses"] == len(expected) and counts["following"] == len(person.follows), (person.name, counts)
        self.ids[person.name] = [s.id for s in statuses]
        for post in person.gone.values():
            person.browser.get(f"/@{person.name}/{post}", expect=404)

    def compare_relations(self, person):
        """Both sides."""
        followers = {p.name for p in self.people.values() if person.name in p.follows}
        for side, expected in (("following", person.follows), ("followers", followers)):
            shown = [n for page in person.browser.pages(f"/@{person.name}/{side}") for n in page.names]
            assert sorted(shown) == sorted(expected), (person.name, side, shown, expected)
        assert person.browser.get(f"/@{person.name}").counts["followers"] == len(followers)

    def sorted_ids(self, names):
        """The posts of these people, newest first."""
        return sorted((i for name in names for i in self.ids[name]), key=int, reverse=True)

    def compare_home(self, person):
        """Complete, in order, once: its window and what is merged below it."""
        shown = person.browser.timeline_ids("/home", HOME_PAGES)
        hidden = self.answers_to_strangers(person)
        expected = [i for i in self.sorted_ids(person.follows | {person.name}) if i not in hidden][:HOME_PAGES * PAGE]
        assert shown == expected, self.explain(person, shown, expected)

    def answers_to_strangers(self, reader):
        """What those whom he follows answered to others than him, themselves and each other: his home leaves that out."""
        authors = {post: p.name for p in self.people.values() for post in p.gone.values()}
        authors |= {post: name for name, ids in self.ids.items() for post in ids}
        found, near = set(), reader.follows | {reader.name}
        for name in reader.follows:
            person = self.people[name]
            parents = zip(self.ids[name], (person.live[text] for text in person.newest()))
            found |= {post for post, parent in parents if parent and authors.get(parent) not in near | {name}}
        return found

    def explain(self, person, shown, expected):
        """What is wrong with a home, and how it came to its page."""
        lacks = [(expected.index(i), i) for i in expected if i not in shown]
        again = person.browser.timeline_ids("/home", HOME_PAGES) == expected
        came = person.browser.server.cli("timeline", "show", person.name, expect=None).stdout
        with person.browser.server.engine() as engine:
            uid = person.browser.cookie.split(".")[0]
            state = [engine("HGETALL", key) for key in engine.keys(f"*:homestate:{uid}")]
            home = [engine("LRANGE", key, 0, -1) for key in engine.keys(f"*:home:{uid}")]
        log = [line for line in person.browser.server.log_lines() if any(i in line for _, i in lacks)]
        return (f"{person.name}: lacks (place, id) {lacks}, has {set(shown) - set(expected)}, order {shown == sorted(shown, key=int)}; "
                f"right when read again: {again}\n{state}\n{home}\n{came}\n{log}")

    def compare_replies(self):
        """Under each post that is there stand the answers that are there, and theirs; above it what it answers."""
        parents, authors, answers = {}, {}, collections.defaultdict(set)
        for name, person in self.people.items():
            for text, post in zip(person.newest(), self.ids[name]):
                parents[post], authors[post] = person.live[text], name
                answers[person.live[text]].add(post)
        for parent in [p for p in answers if p in authors][:MOST_THREADS]:
            first = f"/@{authors[parent]}/{parent}"
            pages = self.people[authors[parent]].browser.pages(first)
            below, above, waiting = set(), parents[parent], list(answers[parent])
            while waiting:
                below.add(waiting[-1])
                waiting += answers[waiting.pop()] - below
            shown = {s.id for page in pages for s in page.statuses} - {parent}
            while above in authors:
                shown.discard(above)
                above = parents[above]
            assert shown == below, (first, shown, below)

    def compare_public(self, written):
        """The newest 1000 of all, in order and once; likewise with the tag that every post has. A list that was cut and
        then lost some to deletions is filled up with new posts first. Returns how many posts were shown."""
        someone = next(iter(self.people.values()))
        lists = ("/public", f"/tags/{TAG}")
        fewest = min(len(someone.browser.timeline_ids(path)) for path in lists)
        for _ in range(PUBLIC - fewest if written > PUBLIC else 0):
            someone.number += 1
            text = f"{someone.number} by {someone.name} #{TAG}"
            someone.live[text] = None
            someone.browser.post_quickly(text)
        self.ids[someone.name] = someone.browser.timeline_ids(f"/@{someone.name}")
        everything = self.sorted_ids(self.people)
        for path in lists:
            self.compare_list(someone.browser.timeline_ids(path), everything, path)

    @staticmethod
    def compare_list(shown, everything, path):
        """A list is cut by arrival, which is only nearly the order of ids: its oldest may be others of the same moment."""
        expected = everything[:PUBLIC]
        assert len(shown) == len(expected) and shown == sorted(set(shown), key=int, reverse=True), (path, len(shown))
        other = set(shown) ^ set(expected)
        edge = int(expected[-1]) >> 16 if expected else 0
        assert all(abs((int(i) >> 16) - edge) < DISORDER_MS for i in other), (path, other)
