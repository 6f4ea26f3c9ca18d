"""Every page that shows posts or people, compared with the naive model (retwis_model.py): for the worlds of the property tests."""

import re

import requests

from retwis_browser import Browser
from retwis_model import AROUND, CHOSEN, HOME, ITSELF, PROFILE, PUBLIC, differences
from retwis_page import Status

PAGE = 4
TAGS = ("even", "odd")
NOTICES = "/notifications?types=mention,favourite,boost,follow,request,update"  # without marking them as seen
TALKS = "/messages"
LOOKS = {"home": 26, "profile": 6, "public": 4, "tag": 3, "post": 8, "marks": 4, "notices": 4, "people": 3, "list": 4}
PINNED, REPLIES = "pinned-", "/replies"
MOST_VERSIONS = 21


def place_of(path):
    """Where posts stand on this page, as the model names it."""
    places = {"/home": HOME, "/lists/": CHOSEN, "/@": PROFILE, "/favourites": ITSELF, "/bookmarks": ITSELF}
    return next((place for start, place in places.items() if path.startswith(start)), PUBLIC)


def shows_once(path):
    """Whether this timeline leaves out the twins of what stands there: a post and its boosts are twins."""
    return place_of(path) in (HOME, CHOSEN)


def in_line(page):
    """What stands on a timeline's page, but for what is pinned above it."""
    return [s for s in page.statuses if not s.entry.startswith(PINNED)]


def follow_notices_may_differ(begin, now):
    """Who begins to follow is told by days: on the edge between two, groups are others than those of the model."""
    day = 86400
    return (begin - 300) // day != (now + 300) // day


class Looking:
    """What a world needs to be looked at: model, people, stranger, rng, calm()."""

    def browser(self, name):
        """Of somebody, or of nobody."""
        return self.people[name] if name else self.stranger

    def expect(self, check, *args):
        """The check must hold. (With two servers, what one of them does the other hears of a moment later.)"""
        check(*args)

    def written(self, newest=0):
        """Posts that are no boosts: all, or the newest."""
        return [p for p in self.model.posts if not p.boost][-newest:]

    # --- parts of pages ---

    def must_show(self, name, path, place, statuses, numbers):
        """With each post: a filter's warning, what this reader did with it, and, if nothing is under way, how many did."""
        by_id = {p.id: p for p in self.model.posts}
        for status in statuses if name else ():
            entry, element = by_id[status.entry.removeprefix(PINNED)], status.element
            post, warning, met = entry.shown, element.first(".filtered summary"), self.model.filtered(name, entry, place)
            assert status.text == post.text, (name, path, status, post)
            assert (warning and warning.text.strip()) == (met and f"Filtered: {met.word}"), (name, path, post, "warning", warning, met)
            pressed = {b: status.is_on(b) for b in ("favourite", "bookmark", "boost")}
            expected = {"favourite": post in self.model.favourites[name], "bookmark": post in self.model.bookmarks[name],
                        "boost": self.model.boost_of(name, post) is not None}
            assert pressed == expected, (name, path, post, "pressed", pressed, expected)
            if numbers:
                shown = [status.number(b) for b in ("favourite", "reply", "boost")]
                boosts = len(self.model.boosters(post)) if status.button("boost") else 0  # who may not boost it has neither button nor number
                counted = [len(self.model.fans(post)), self.model.answers(post), boosts]
                assert shown == counted, (name, path, post, "favourites, answers, boosts", shown, counted)

    @staticmethod
    def must_be_in_order(what, pages, expected):
        """Pages show some of these posts in order, each once. Their places."""
        by_id = {p.id: p for p in expected}
        for page in pages if shows_once(what[1]) else ():
            twins = [s.id for s in page.statuses]
            assert len(twins) == len(set(twins)), (*what, "twins on a page", twins)
        shown = [s.entry for page in pages for s in in_line(page)]
        strange = [i for i in shown if i not in by_id]
        assert not strange, (*what, "may not be seen", [s for page in pages for s in page.statuses if s.entry in strange])
        places = [expected.index(by_id[i]) for i in shown]
        assert places == sorted(set(places)), (*what, "order", shown, expected[:20])
        return places

    def must_go(self, what, pages, expected, exact):
        """Pages show these posts, but for what is there by a twin. If not exact, what came since the queue was last empty may
        be missing."""
        places, once = self.must_be_in_order(what, pages, expected), shows_once(what[1])
        shown = [expected[at] for at in places]
        ends = not pages[-1].older or not pages[-1].statuses
        reach = len(expected) if ends else places[-1]
        seen = {p.shown for p in shown} if once else ()
        missing = [p for p in expected[:reach] if p not in shown and p.shown not in seen and (exact or p in self.model.settled)]
        assert not missing, (*what, "missing", missing, "shown", shown)
        fewest = min(PAGE, len({p.shown for p in expected} if once else expected))
        assert not exact or len(shown) >= fewest, (*what, "a short page", shown, expected[:20])

    def must_begin(self, name, path, expected, exact, calm, most=1):
        """The first pages of a timeline: exact, or within the promise; the numbers are right if nothing is under way."""
        pages = list(self.browser(name).pages(path, most))
        self.must_go((name, path), pages, expected, exact)
        for page in pages:
            self.must_show(name, path, place_of(path), page.statuses, calm)
        self.must_be_pinned(name, path, pages[0])

    def must_be_pinned(self, name, path, page):
        """What its owner pinned stands on top of the first page of a profile's first tab."""
        shown = [s.entry.removeprefix(PINNED) for s in page.statuses if s.entry.startswith(PINNED)]
        has_pins = place_of(path) == PROFILE and not path.endswith(REPLIES)
        expected = [p.id for p in self.model.pinned(name, path.removeprefix("/@"))] if has_pins else []
        assert shown == expected, (name, path, "pinned", shown, expected)

    def must_be(self, name, path, expected, upwards=False):
        """A whole timeline downwards, and back up."""
        pages = list(self.browser(name).pages(path))
        self.must_go((name, path), pages, expected, True)
        for page in pages:
            self.must_show(name, path, place_of(path), page.statuses, True)
        self.must_be_pinned(name, path, pages[0])
        up, last = [], pages[-1]
        while upwards and (up or pages)[-1].newer:
            page = self.browser(name).get((up or pages)[-1].newer)
            if up and page.ids == up[-1].ids:  # there were but twins of what stands here
                break
            up.append(page)
        if shows_once(path) and any(p.boost for p in expected):  # other twins are left out upwards, and pages filled up
            for page in up:
                self.must_be_in_order((name, path, "upwards"), [page], expected)
        elif up and last.statuses:
            self.must_go((name, path, "upwards"), [*reversed(up), last], expected, True)

    def must_be_post(self, name, post, exact):
        """A post's own page, and who favourited it."""
        path = f"/@{post.author}/{post.id}"
        page = self.browser(name).get(path, expect=None)
        assert page.status == (200 if self.model.sees(name, post, ITSELF) else 404), (name, path, post, page.summary)
        if page.status == 404 or not exact:
            return
        above = [Status(e).text for e in page.all(".thread-parent article.status")]
        assert above == [p.text for p in self.model.above(name, post)], (name, path, "above", above, self.model.above(name, post))
        below = [Status(e) for part in self.browser(name).pages(path) for e in part.all(".thread article.status")]
        expected = [p.text for p in self.model.below(name, post)]
        assert [s.text for s in below] == expected, (name, path, "below", differences([s.text for s in below], expected))
        self.must_show(name, path, AROUND, below, True)
        self.must_show(name, path, ITSELF, [Status(page.one("article.status-large"))], True)
        if name:
            is_quiet = page.one("form.thread-mute")["action"].endswith("unmute")
            assert is_quiet == (post.root in self.model.quiet[name]), (name, path, "muted", is_quiet)
        if post.versions > 1:
            versions = len(self.browser(name).get(f"/posts/{post.id}/history").all(".versions li"))
            assert versions == min(MOST_VERSIONS, post.versions), (name, path, "versions", versions, post.versions)
        number, fans = page.first("[data-count=favourites]"), self.model.fans(post)
        assert (int(number.text) if number else 0) == len(fans), (name, path, fans)
        for what, who in (("favourites", fans), ("boosts", self.model.boosters(post))):
            names = self.browser(name).get(f"/posts/{post.id}/{what}").names
            assert sorted(names) == sorted(who), (name, path, what, names, who)

    def must_be_told(self, name):
        """The notices and their number in the menu."""
        shown, day_ends = [], self.day_may_end()
        pages = list(self.people[name].pages(NOTICES))
        for row in (row for page in pages for row in page.all(".notice")):
            status, about = row.first("article.status"), row.first(".notice-about a")
            text = Status(status).text if status else about and about.text.strip()
            more = re.search(r"and (\d+) other", row.one(".notice-what").text)
            names = [a["aria-label"][1:] for a in row.all(".notice-people a")]
            text = names[0] if row["data-kind"] == "request" else text
            shown.append((row["data-kind"], text, 1 + int(more[1]) if more else 1, names))
        expected = [row for row in self.model.notices(name) if row[0] != "follow" or not day_ends]
        shown = [row for row in shown if row[0] != "follow" or not day_ends]
        groups = [row[:2] for row in shown]
        assert sorted(groups, key=str) == sorted((row[:2] for row in expected), key=str), (name, differences(groups, [r[:2] for r in expected]))
        for kind, text, who in expected:
            count, names = next(row[2:] for row in shown if row[:2] == (kind, text))
            assert set(names) <= who and len(names) == min(5, len(who)), (name, kind, text, names, who)
            assert count == len(who) or len(who) >= 5 and count > len(who), (name, kind, text, "others may be counted", count, who)
        badge = pages[0].first("nav a[href=/notifications] .badge")
        if self.counts_unread and not day_ends:
            assert (int(badge.text) if badge else 0) == self.model.unread(name), (name, badge and badge.text, self.model.told[name])

    def must_talk(self, name, browser):
        """His talks, each with its newest post."""
        links = [a["href"] for page in browser.pages(TALKS) for a in page.all(".notice-about a")]
        shown, expected = [link.rsplit("/", 1)[1] for link in links], [p.id for p in self.model.talks(name)]
        assert shown == expected, (name, TALKS, differences(shown, expected))

    def must_relate(self, name):
        """Both sides of following, with their numbers, who asks to, and whom he keeps apart."""
        person, model = self.people[name], self.model
        for path, expected in ((f"/@{name}/following", model.follows[name]), (f"/@{name}/followers", model.followers(name)),
                               ("/requests", model.askers(name)), ("/settings/blocks", model.blocks[name]), ("/settings/mutes", model.mutes[name])):
            shown = [n for page in person.pages(path) for n in page.names]
            assert sorted(shown) == sorted(expected), (name, path, shown, expected)
        counts = person.get(f"/@{name}").counts
        assert counts == {**counts, **model.counts(name)}, (name, counts, model.counts(name))

    def must_list(self, name):
        """His lists, in the order in which he made them. What a repeated request made beside one of them is left alone."""
        mine = [chosen.path for chosen in self.model.lists[name]]
        shown = [row["href"] for row in self.browser(name).get("/lists").all(".list-link")]
        assert [path for path in shown if path in mine] == mine, (name, "/lists", shown, mine)

    # --- looking around ---

    def look(self, name):
        """A page at this moment: exact where nothing is under way or all that is shown is the reader's own, else within the promise."""
        place = self.rng.choices(list(LOOKS), LOOKS.values())[0]
        viewer = name if self.rng.random() < 0.85 else None
        most = self.rng.choice([1, 1, 3])
        exact, calm = self.quiet, self.calm()
        if place == "home":
            self.expect(self.must_begin, name, "/home", self.model.home(name), exact, False, most)
        elif place == "profile":
            author, tab = self.rng.choice(list(self.people)), self.rng.choice(["", REPLIES])
            self.expect(self.must_begin, viewer, f"/@{author}{tab}", self.model.profile(viewer, author, tab == REPLIES), True, calm, most)
        elif place == "public":
            self.expect(self.must_begin, viewer, "/public", self.model.public(viewer), calm, calm, most)
        elif place == "tag":
            tag = self.rng.choice(TAGS)
            self.expect(self.must_begin, viewer, f"/tags/{tag}", self.model.public(viewer, tag), calm, calm, most)
        elif place == "post" and self.written(40):
            self.expect(self.must_be_post, viewer, self.rng.choice(self.written(40)), calm)
        elif place == "marks":
            for path, marks in (("/favourites", self.model.favourites), ("/bookmarks", self.model.bookmarks)):
                self.expect(self.must_begin, name, path, self.model.marked(name, marks), True, calm, most)
        elif place == "notices" and calm:
            self.expect(self.must_be_told, name)
        elif place == "people" and calm:
            self.expect(self.must_relate, name)
        elif place == "list" and self.model.lists[name]:
            chosen = self.rng.choice(self.model.lists[name])
            self.expect(self.must_begin, name, chosen.path, self.model.chosen(name, chosen), True, calm, most)

    def compare_everything(self):
        """Every page, nothing being under way: those of one's own for all, what everybody may read for a stranger and some others."""
        model, names = self.model, list(self.people)
        readers = [None] + self.rng.sample(names, 2)
        for name in names:
            self.expect(self.must_be, name, "/home", model.home(name), name in readers)
            self.expect(self.must_be, name, f"/@{name}", model.profile(name, name, False), name in readers)
            self.expect(self.must_be, name, "/favourites", model.marked(name, model.favourites))
            self.expect(self.must_be, name, "/bookmarks", model.marked(name, model.bookmarks))
            self.expect(self.must_be_told, name)
            self.expect(self.must_relate, name)
            self.expect(self.must_talk, name, self.people[name])
            self.expect(self.must_list, name)
            for chosen in model.lists[name]:
                self.expect(self.must_be, name, chosen.path, model.chosen(name, chosen), name in readers)
        for reader in readers:
            self.expect(self.must_be, reader, "/public", model.public(reader), True)
            for tag in TAGS:
                self.expect(self.must_be, reader, f"/tags/{tag}", model.public(reader, tag))
            for author in names:
                tab = self.rng.choice(["", REPLIES])
                self.expect(self.must_be, reader, f"/@{author}{tab}", model.profile(reader, author, tab == REPLIES), reader is None)
            for post in self.rng.sample(self.written(), min(8, len(self.written()))):
                self.expect(self.must_be_post, reader, post, True)

    @staticmethod
    def nobody(server):
        """A visitor who is not signed in."""
        return Browser(server)


TROUBLE = (requests.RequestException, AssertionError)  # of a server that is away, for those who ask until it is not
