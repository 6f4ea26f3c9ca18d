"""A mixed load whose writers know exactly what was acknowledged: for tests that kill something meanwhile.

Each actor is a thread with some people of its own, and does one thing at a time: so it is known exactly what a person
wrote, edited and took back, favourited, boosted and kept, and whom he follows, whenever his last request was answered. People block, mute and take
away only those of the same actor, so that it is known too what came first. A request that was not answered is sent
again as a browser or a patient person would: a post with its idempotency key; all else as it is; after a lost answer, "that
name is taken" means to sign in. Contradictions to that knowledge while the load runs are raised at the end; the rules for when all
is quiet are in retwis_truth.py.
"""

import collections
import dataclasses
import random
import threading
import time
import uuid

import requests

from retwis_browser import PASSWORD, Browser
from retwis_model import differences
from retwis_model_people import LIST_REPLIES, PeopleList
from retwis_process import limit

PAGE = 20
TAG, EDITED = "mix", "edited"  # the tag of every post, and of some that were edited
ENV = {"RETWIS_TIMELINE_PAGE": str(PAGE), "RETWIS_TIMELINE_SIZE": "60", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "5",
       "RETWIS_TIMELINE_INLINE_FOLLOWERS": "3", "RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "5"}
ACTORS = 4
MOST_PEOPLE = 15  # of one actor
REST_SECONDS = 0.02  # the longest pause between two things
PATIENCE_SECONDS = 60
ANSWER_SECONDS = limit(15)
DEEDS = {"post": 32, "reply": 10, "edit": 6, "delete": 8, "relate": 9, "relate_many": 4, "favourite": 10, "unfavourite": 3,
         "boost": 8, "unboost": 2, "bookmark": 3, "unbookmark": 1, "apart": 4, "follow_tag": 1.5,
         "make_list": 1.5, "fill_list": 4, "set_list": 1.5, "drop_list": 0.5, "add_filter": 1.5, "drop_filter": 1, "lock": 1, "ask_keeper": 2,
         "answer": 2, "read_home": 17, "read_own": 5, "sign_up": 1.5}
VISIBILITIES = {"public": 76, "unlisted": 8, "private": 12, "direct": 4}
APARTS = {"block": 3, "unblock": 3, "mute": 4, "unmute": 2, "remove": 3}


@dataclasses.dataclass
class Written:
    """A post as it was acknowledged."""

    visibility: str = "public"
    parent: str = None  # id of the post that it answers
    mentions: tuple = ()
    id: str = None  # known at once of those that stand on no profile, of the others to whoever reads it there
    edits: int = 0


class Person:
    """Somebody, and all that was acknowledged of him."""

    def __init__(self, name, server):
        self.name = name
        self.browser = Browser(server)
        self.number = 0
        self.live, self.gone = {}, {}  # text: Written; oldest first
        self.follows, self.blocks, self.mutes, self.hushed, self.interests = set(), set(), set(), set(), set()
        self.favourites, self.bookmarks, self.boosts = {}, {}, {}  # ids, in the order of the marks
        self.lists, self.filters = [], []  # PeopleLists with titles, and words, the oldest first
        self.is_locked, self.askers, self.asked = False, set(), set()  # of a keeper; names. Each asks only once
        # With whom there was a block, in either way: the other side may learn of it later, so whether they can follow in between is open.
        self.once_blocked = set()
        # And with whom a mute as well: whether what came about then was told of is open.
        self.once_apart = set()

    def newest(self):
        """Texts of the posts that stand on the profile, newest first."""
        return [text for text, post in reversed(self.live.items()) if post.visibility != "direct"]

    def own(self, statuses):
        """Texts of his own posts among these; boosts of them are no posts of his."""
        return [s.text for s in statuses if s.author == self.name and not s.booster]


class Town:
    """What the actors share."""

    def __init__(self, servers):
        self.servers = servers
        self.names = []  # of people whose sign-up was acknowledged; only grows
        self.leave = threading.Event()


class Actor(threading.Thread):
    """Acts for some people, one after the other, until told to leave."""

    def __init__(self, town, number, seed):
        super().__init__(daemon=True)
        self.town = town
        self.number = number
        self.random = random.Random(seed)
        self.people = []
        self.keeper = None  # who writes nothing, is followed by this actor's people alone, and wants to be asked at times
        self.seen = []  # (author, id) of the page that was read last
        self.counts = collections.Counter()  # acknowledged, by deed; and "repeats"
        self.failure = None

    def run(self):
        try:
            while not self.town.leave.is_set():
                deed = self.random.choices(list(DEEDS), DEEDS.values())[0]
                self.do(deed, self.random.choice(self.people))
                time.sleep(self.random.random() * REST_SECONDS)
        except BaseException as error:  # pylint: disable=broad-except - told to the test, whatever it is
            self.failure = error

    def do(self, deed, person):
        """One thing; what it had no occasion for (False) does not count."""
        self.counts[deed] += getattr(self, deed)(person) is not False

    def writes(self):
        """How many changes were acknowledged."""
        return sum(n for deed, n in self.counts.items() if not deed.startswith("read") and deed not in ("repeats", "public"))

    # --- until it is answered ---

    def patiently(self, what, once):
        """Repeats `once` until it gives an answer other than 503; (answer, tries)."""
        end, tries = time.monotonic() + limit(PATIENCE_SECONDS), 0
        while time.monotonic() < end:
            tries += 1
            try:
                page = once()
                if page.status != 503:
                    self.counts["repeats"] += tries - 1
                    return page, tries
            except requests.RequestException:
                pass
            time.sleep(0.03)
        raise AssertionError(f"never answered: {what}")

    def send(self, person, path, **fields):
        """A form."""
        def once():
            return person.browser.action(path, follow=False, timeout=ANSWER_SECONDS, **fields)

        return self.patiently(f"{person.name} {path}", once)

    def read(self, person, path):
        """A page."""
        def once():
            return person.browser.get(path, expect=None, follow=False, timeout=ANSWER_SECONDS)

        page, _ = self.patiently(f"{person.name} {path}", once)
        assert page.status == 200, f"{person.name} reads {path}: {page.summary}"
        return page

    # --- people ---

    def sign_up(self, _=None):
        """Somebody new, if there is room. An answer may be lost at each step: who is in already has nothing to do, and who
        finds his own new name taken signs in."""
        if len(self.people) >= MOST_PEOPLE:
            return False
        number = len(self.people) if self.keeper else "keeper"
        person = Person(f"a{self.number}_{number}", self.town.servers[self.number % len(self.town.servers)])
        self.patiently(f"{person.name} signs up", lambda: self.enter(person))
        page, _ = self.patiently("token", lambda: person.browser.get("/about", expect=None, timeout=ANSWER_SECONDS))
        person.browser._token = page.csrf_token  # pylint: disable=protected-access
        if not self.keeper:
            self.keeper = person
            return self.sign_up()
        self.people.append(person)
        self.town.names.append(person.name)
        return True

    def enter(self, person):
        """One try to get in; the home page when it has come to that, else what was answered."""
        browser = person.browser
        home = browser.request("GET", "/home", follow=False, timeout=ANSWER_SECONDS)
        if home.status in (200, 503):
            return home
        page = browser.get("/auth/sign_up", expect=None)
        if page.status == 503:
            return page
        page = browser.submit(page.form("form.sign-up"), username=person.name, password=PASSWORD, password2=PASSWORD)
        if page.status == 422 and set(page.errors) == {"username"}:
            page = browser.get("/auth/sign_in", expect=None)
            if page.status != 503:
                page = browser.submit(page.form("form.sign-in"), username=person.name, password=PASSWORD)
        assert page.status == 503 or (page.status, page.path) == (200, "/home"), f"{person.name} signs up: {page.summary}"
        return page

    def post(self, person):
        """Writes something new."""
        self.write(person, None)

    def reply(self, person):
        """Answers something that was seen; its author may have taken it back since."""
        return bool(self.seen) and self.write(person, self.random.choice(self.seen)[1])

    def write(self, person, parent):
        """Posts, once for all its tries."""
        person.number += 1
        visibility, = self.random.choices(list(VISIBILITIES), VISIBILITIES.values())
        mentions = self.random.sample(self.town.names, self.random.choice([0, 0, 1]) or visibility == "direct")
        text = self.words(f"{person.number} by {person.name}", mentions)
        fields = {"in_reply_to_id": parent} if parent else {}
        page, _ = self.send(person, "/posts", status=text, visibility=visibility, idempotency_key=str(uuid.uuid4()), next="/home",
                            **fields)
        if parent and page.status == 422:  # what it answers is gone, or not for him
            return False
        post = Written(visibility, parent, tuple(mentions))
        if visibility == "direct":
            post.id = (page.headers.get("Location") or "").rsplit("/", 1)[-1]
        self.must_lead_to(page, f"/@{person.name}/{post.id}" if post.id else "/home", f"{person.name} writes {text!r}")
        person.live[text] = post
        self.counts["public"] += visibility == "public"
        return True

    @staticmethod
    def words(head, mentions, *tags):
        """Of a post: what is its own, and what every post has."""
        return " ".join([head, *(f"#{tag}" for tag in (TAG, *tags)), *(f"@{name}" for name in mentions)])

    def edit(self, person):
        """Says one of the newest in other words: perhaps with a tag that it had not, or not any more; perhaps it mentions one more."""
        statuses = self.read_own(person)
        if not statuses:
            return False
        status = self.random.choice(statuses)
        old = person.live[status.text]
        mentions = tuple(dict.fromkeys([*old.mentions, *self.random.sample(self.town.names, self.random.choice([0, 0, 1]))]))
        new = dataclasses.replace(old, mentions=mentions, edits=old.edits + 1)
        head = f"{status.text.split(', version ')[0].split(' #')[0]}, version {new.edits}"
        text = self.words(head, mentions, *self.random.choice([(), (EDITED,)]))
        page, _ = self.send(person, f"/posts/{status.id}/edit", status=text, next="/home")
        self.must_lead_to(page, "/home", f"{person.name} edits {status}")
        person.live = {text if was == status.text else was: new if post is old else post for was, post in person.live.items()}
        return True

    @staticmethod
    def must_lead_to(page, path, what):
        """Acknowledged, and he is still signed in."""
        assert (page.status, page.headers.get("Location")) == (303, path), f"{what}: {page.summary} {page.headers}"

    def delete(self, person):
        """Takes back one of the newest."""
        statuses = self.read_own(person)
        if not statuses:
            return False
        status = self.random.choice(statuses)
        page, tries = self.send(person, f"/posts/{status.id}/delete", next="/home")
        if not (page.status == 404 and tries > 1):  # gone with an answer that was lost
            self.must_lead_to(page, "/home", f"{person.name} deletes {status}")
        person.gone[status.text] = person.live.pop(status.text)
        person.gone[status.text].id = status.id
        return True

    def relate(self, person):
        """Follows or unfollows one."""
        other = self.random.choice(self.town.names)
        if other == person.name:
            return False
        on = other not in person.follows if self.random.random() < 0.9 else other in person.follows
        if on and other in person.once_blocked:
            return False
        page, _ = self.send(person, f"/@{other}/{'follow' if on else 'unfollow'}", next="/home")
        self.must_lead_to(page, "/home", f"{person.name} {'follows' if on else 'unfollows'} {other}")
        (person.follows.add if on else person.follows.discard)(other)
        return True

    def relate_many(self, person):
        """Follows or unfollows some at once."""
        names = [n for n in list(self.town.names) if n not in person.once_blocked | {person.name}]
        chosen = self.random.sample(names, self.random.randint(1, min(8, len(names))))
        on = self.random.random() < 0.65
        page, _ = self.send(person, "/follow" if on else "/unfollow", names=", ".join(chosen))
        results = {e["data-name"] for e in page.all(".result")}
        assert page.status == 200 and results == set(chosen), f"{person.name} {on} {chosen}: {page.summary} {results}"
        (person.follows.update if on else person.follows.difference_update)(chosen)

    def mark(self, person, verb, marks, post):
        """Does something with a post, or undoes it. Its author may have taken it back since, and it may be for others."""
        page, _ = self.send(person, f"/posts/{post}/{verb}", next="/home")
        if not verb.startswith("un") and (page.status == 404 or verb == "boost" and page.status == 403):
            return False
        self.must_lead_to(page, "/home", f"{person.name} {verb} {post}")
        if verb.startswith("un"):
            marks.pop(post, None)
        else:
            marks.setdefault(post)
        return True

    def favourite(self, person):
        """Of what was seen."""
        return bool(self.seen) and self.mark(person, "favourite", person.favourites, self.random.choice(self.seen)[1])

    def unfavourite(self, person):
        """One of his."""
        mine = list(person.favourites)
        return bool(mine) and self.mark(person, "unfavourite", person.favourites, self.random.choice(mine))

    def boost(self, person):
        """Of what was seen; what is for some alone is refused."""
        return bool(self.seen) and self.mark(person, "boost", person.boosts, self.random.choice(self.seen)[1])

    def unboost(self, person):
        """One of his."""
        mine = list(person.boosts)
        return bool(mine) and self.mark(person, "unboost", person.boosts, self.random.choice(mine))

    def bookmark(self, person):
        """Of what was seen."""
        return bool(self.seen) and self.mark(person, "bookmark", person.bookmarks, self.random.choice(self.seen)[1])

    def unbookmark(self, person):
        """One of his."""
        mine = list(person.bookmarks)
        return bool(mine) and self.mark(person, "unbookmark", person.bookmarks, self.random.choice(mine))

    def follow_tag(self, person):
        """Wants to have at home what was edited, or not any more."""
        on = EDITED not in person.interests
        page, _ = self.send(person, f"/tags/{EDITED}/{'follow' if on else 'unfollow'}", next="/home")
        self.must_lead_to(page, "/home", f"{person.name} tag {on}")
        (person.interests.add if on else person.interests.discard)(EDITED)

    def apart(self, person):
        """Blocks, mutes or takes away another of this actor's, or ends that."""
        others = [other for other in self.people if other is not person]
        if not others:
            return False
        other, (verb,) = self.random.choice(others), self.random.choices(list(APARTS), APARTS.values())
        fields = {"notifications": "true"} if verb == "mute" and self.random.random() < 0.5 else {}
        page, _ = self.send(person, f"/@{other.name}/{verb}", next="/home", **fields)
        self.must_lead_to(page, "/home", f"{person.name} {verb} {other.name}")
        if verb in ("block", "remove"):
            other.follows.discard(person.name)
        if verb == "block":
            person.blocks.add(other.name)
            person.follows.discard(other.name)
            person.once_blocked.add(other.name)
            other.once_blocked.add(person.name)
        elif verb == "unblock":
            person.blocks.discard(other.name)
        elif verb != "remove":
            (person.mutes.add if verb == "mute" else person.mutes.discard)(other.name)
            (person.hushed.add if fields else person.hushed.discard)(other.name)
        if verb != "remove":
            person.once_apart.add(other.name)
            other.once_apart.add(person.name)
        return True

    # --- lists and filters ---

    def make_list(self, person):
        """One more. A lost answer may have made it already: then there are two, of which one is to go."""
        person.number += 1
        title = f"list {person.number}"
        page, tries = self.send(person, "/lists", title=title)
        assert page.status == 303, f"{person.name} makes a list: {page.summary}"
        made = PeopleList(page.headers["Location"].removesuffix("/members"))
        for row in self.read(person, "/lists").all(".list-row") if tries > 1 else ():
            if row.one(".name").text == title and row.one(".list-link")["href"] != made.path:
                self.must_go(person, f"{row.one('.list-link')['href']}/delete")
        person.lists.append(made)

    def must_go(self, person, path):
        """Takes something away: gone with an answer that was lost is as good."""
        page, tries = self.send(person, path)
        assert page.status == 303 or page.status == 404 and tries > 1, f"{person.name} {path}: {page.summary}"

    def fill_list(self, person):
        """Puts others on a list, or takes them off."""
        if not person.lists:
            return False
        chosen, on = self.random.choice(person.lists), self.random.random() < 0.7
        others = [name for name in list(self.town.names) if name != person.name]
        names = self.random.sample(others, min(len(others), self.random.randint(1, 3)))
        page, _ = self.send(person, f"{chosen.path}/{'add' if on else 'remove'}", names=",".join(names))
        (chosen.members.update if on else chosen.members.difference_update)(names)
        shown = sorted({*page.names} | {n for n in chosen.members if page.older})
        assert page.status == 200 and shown == sorted(chosen.members), f"{person.name} {chosen.path}: {page.summary} {shown} {chosen.members}"
        return True

    def set_list(self, person):
        """Whether its people leave home, and which answers it shows."""
        if not person.lists:
            return False
        chosen = self.random.choice(person.lists)
        chosen.is_exclusive, chosen.replies = self.random.random() < 0.3, self.random.choice(LIST_REPLIES)
        page, _ = self.send(person, f"{chosen.path}/set", exclusive="true" if chosen.is_exclusive else "", replies_policy=chosen.replies)
        assert page.status == 303, f"{person.name} sets {chosen.path}: {page.summary}"
        return True

    def drop_list(self, person):
        """One of them."""
        if not person.lists:
            return False
        chosen = self.random.choice(person.lists)
        self.must_go(person, f"{chosen.path}/delete")
        person.lists.remove(chosen)
        return True

    def add_filter(self, person):
        """For a word that nobody writes: so it hides nothing, and must be there. Made twice by a lost answer, one goes."""
        person.number += 1
        word = f"unsaid{person.number}"
        page, tries = self.send(person, "/settings/filters", phrase=word, filter_action="hide", home="true")
        assert page.status == 303, f"{person.name} filters {word}: {page.summary}"
        if tries > 1:
            for row in self.filter_rows(person, word)[1:]:
                self.must_go(person, f"/settings/filters/{row['data-id']}/delete")
        person.filters.append(word)

    def filter_rows(self, person, word):
        """On the page of his filters."""
        return [row for row in self.read(person, "/settings/filters").all(".filter") if row.one(".name").text == word]

    def drop_filter(self, person):
        """One of them."""
        if not person.filters:
            return False
        word = self.random.choice(person.filters)
        row, = self.filter_rows(person, word)
        self.must_go(person, f"/settings/filters/{row['data-id']}/delete")
        person.filters.remove(word)
        return True

    # --- who wants to be asked ---

    def lock(self, _):
        """The keeper wants to be asked from here on; or not any more, if nobody waits."""
        on = not self.keeper.is_locked
        if self.keeper.askers:
            return False
        page, _ = self.send(self.keeper, "/settings/locked", locked="true" if on else "")
        assert page.status == 303, f"{self.keeper.name} locks {on}: {page.summary}"
        self.keeper.is_locked = on
        return True

    def ask_keeper(self, person):
        """Follows the keeper, or asks to. Once: what comes of a second question while the first is being answered is open."""
        keeper = self.keeper
        if person.name in keeper.asked:
            return False
        page, _ = self.send(person, f"/@{keeper.name}/follow", next="/home")
        self.must_lead_to(page, "/home", f"{person.name} asks {keeper.name}")
        keeper.asked.add(person.name)
        (keeper.askers.add if keeper.is_locked else person.follows.add)(keeper.name if not keeper.is_locked else person.name)
        return True

    def answer(self, _):
        """The keeper lets in one of those who wait, or does not; or all."""
        keeper = self.keeper
        askers = [person for person in self.people if person.name in keeper.askers]
        if not askers:
            return False
        grants = self.random.random() < 0.6
        verb = "accept" if grants else "reject"
        chosen = askers if self.random.random() < 0.3 else [self.random.choice(askers)]
        path = f"/@{chosen[0].name}/{verb}" if len(chosen) == 1 else f"/requests/{verb}"
        page, tries = self.send(keeper, path, next="/home")
        assert page.status == 303 or page.status == 404 and tries > 1, f"{keeper.name} {path}: {page.summary}"
        for person in chosen:
            keeper.askers.discard(person.name)
            if grants:
                person.follows.add(keeper.name)
        return True

    # --- reading: what must hold at every moment ---

    def read_home(self, person):
        """Some pages down. Deliveries of others may still be under way, but what is shown is in order, once, allowed, and
        has all one's own."""
        path, last, own, boosted = "/home", None, [], set()
        for _ in range(self.random.choice([1, 1, 1, 2, 4])):
            page = self.read(person, path)
            ids = [int(s.entry) for s in page.statuses]
            assert ids == sorted(set(ids), reverse=True) and (not last or not ids or ids[0] < last), (person.name, path, ids)
            edited = person.interests and ", version "  # what is edited had the tag just now, or has it
            strangers = {s.booster or s.author for s in page.statuses if s.booster or not edited or edited not in s.text}
            strangers -= person.follows | {person.name} | person.once_blocked
            assert not strangers, (person.name, path, "not followed", strangers)
            unwanted = {name for s in page.statuses for name in (s.author, s.booster)} & (person.mutes | person.blocks)
            assert not unwanted, (person.name, path, "muted or blocked", unwanted)
            boosted |= {s.text for s in page.statuses if s.booster}
            own += person.own(page.statuses)
            self.must_have_own(person, path, own, boosted, not page.older)
            self.seen = [(s.author, s.id) for s in page.statuses] or self.seen
            path = page.older
            if not path:
                return
            last = ids[-1]

    @staticmethod
    def must_have_own(person, path, own, boosted, is_last):
        """All his posts so far stand there, in order; but one of which a boost was shown just before may be left out."""
        newest = person.newest()
        reach = len(newest) if is_last else newest.index(own[-1]) + 1 if own else 0
        assert own == [t for t in newest if t in own] and all(t in own or t in boosted for t in newest[:reach]), \
            (person.name, path, "own posts", differences(own, newest[:reach]))

    def read_own(self, person):
        """The own profile: exactly what was acknowledged. The posts of its first page, without boosts."""
        page = self.read(person, f"/@{person.name}/replies")
        shown, expected = person.own(page.statuses), person.newest()
        if page.older:
            expected = expected[:len(shown)]
        assert shown == expected, (person.name, "own profile", differences(shown, expected))
        return [s for s in page.statuses if not s.booster]


class Load:
    """All actors. With more than one server on the same data, each actor's people are at one of them."""

    def __init__(self, server, seed, *others):
        self.town = Town([server, *others])
        self.actors = [Actor(self.town, i, seed + i) for i in range(ACTORS)]
        for actor in self.actors:
            for _ in range(3):
                actor.do("sign_up", None)

    @property
    def people(self):
        """Everybody."""
        return [person for actor in self.actors for person in (*actor.people, actor.keeper)]

    def start(self):
        """Begins."""
        for actor in self.actors:
            actor.start()
        return self

    def counts(self):
        """Acknowledged deeds and repeats of all."""
        return sum((a.counts for a in self.actors), collections.Counter())

    def writes(self):
        """How many changes were acknowledged."""
        return sum(a.writes() for a in self.actors)

    def wait_for_progress(self, more=12, seconds=60):
        """Until so many more changes were acknowledged."""
        goal, end = self.writes() + more, time.monotonic() + limit(seconds)
        while self.writes() < goal:
            self.must_be_well()
            assert time.monotonic() < end, f"writing does not go on: {self.counts()}"
            time.sleep(0.005)

    def must_be_well(self):
        """Raises what went wrong in an actor."""
        for actor in self.actors:
            if actor.failure:
                raise actor.failure

    def stop(self):
        """Each ends with an answer."""
        self.town.leave.set()
        for actor in self.actors:
            actor.join(limit(PATIENCE_SECONDS + 10))
            assert not actor.is_alive()
        self.must_be_well()
