"""What everybody should see, computed in the most simple-minded way: the naive model of the property tests.

People are names, and None is a visitor who is not signed in. A clock counts what happens, so that "later" needs no time. A new kind of
deed is a method that changes the sets; a new place, one that reads them; who sees what is `sees` alone. What lies between people is
retwis_model_people.py.
"""

import collections

from retwis_model_people import People

HOME, TAGGED, CHOSEN, PUBLIC = "home", "tagged", "chosen", "public"  # tagged: in home, by a tag that he follows
PROFILE, AROUND, TOLD, ITSELF = "profile", "around", "told", "itself"
# What filters call these places.
FILTERED = {HOME: "home", TAGGED: "home", CHOSEN: "home", PUBLIC: "public", PROFILE: "account", AROUND: "thread", TOLD: "notifications",
            ITSELF: None}
MOST_PINS = 5


class Post:
    """One post. `parent` is the post that it answers, which may be gone; `boost` the one that it boosts, if it does nothing else."""

    def __init__(self, text, author, visibility="public", parent=None, mentions=(), tags=(), boost=None):
        self.text, self.author, self.visibility, self.parent = text, author, visibility, parent
        self.mentions, self.tags, self.boost = set(mentions), set(tags), boost
        self.id = self.clock = None
        self.versions = 1
        self.is_gone = False

    def __repr__(self):
        return f"<{self.id} {self.text!r} {self.visibility}>"

    @property
    def shown(self):
        """The post that is seen where this one stands."""
        return self.boost or self

    @property
    def root(self):
        """The first of its conversation."""
        return self.parent.root if self.parent else self

    @property
    def answered(self):
        """Whom it answers."""
        return self.parent and self.parent.author

    def addresses(self, name):
        """Whether it mentions or answers him."""
        return name in self.mentions or name == self.answered


class Model(People):
    """All people, posts and what lies between them."""

    def __init__(self):
        super().__init__()
        self.posts = []  # those that are there, oldest first
        self.settled = set()  # those acknowledged before the queue was last empty
        self.favourites, self.bookmarks, self.pins = {}, {}, {}  # name: {post: clock}, in the order of the marks
        self.quiet = {}  # name: first posts of conversations of which he wants to hear nothing
        self.told, self.dismissed = {}, {}  # name: {(kind, post or None): clock of the newest in it}
        self.read = {}  # name: clock

    def settle(self):
        """The queue is empty: from here on everything written so far must show."""
        self.settled = set(self.posts)

    # --- deeds; those with an answer say whether it can be done ---

    def sign_up(self, name):
        """Somebody new."""
        super().sign_up(name)
        for of, empty in ((self.favourites, dict), (self.bookmarks, dict), (self.pins, dict), (self.told, dict), (self.dismissed, dict),
                          (self.read, int), (self.quiet, set)):
            of[name] = empty()

    def post(self, post):
        """Is written."""
        self.posts.append(post)
        post.clock = self.tick()
        if post.answered:
            self.tell(post.answered, ("reply", post), post.author)
        self.tell_mentioned(post)

    def tell_mentioned(self, post):
        """All whom it mentions, but whom it answers; nobody twice."""
        for name in post.mentions - {post.answered}:
            if ("mention", post) not in self.told[name] and ("mention", post) not in self.dismissed[name]:
                self.tell(name, ("mention", post), post.author)

    def edit(self, post, text, mentions, tags):
        """Has other words. Where they lead is brought after. Whom it mentions no more was never told."""
        for name in post.mentions - set(mentions):
            self.untell(name, ("mention", post))
        post.text, post.mentions, post.tags = text, set(mentions), set(tags)
        post.versions += 1
        self.settled.discard(post)
        self.tick()
        self.tell_mentioned(post)
        for name in self.boosters(post):
            self.tell(name, ("update", post), post.author)

    def delete(self, post):
        """Is taken back, with all that hangs on it."""
        for boost in [p for p in self.posts if p.boost is post]:
            self.delete(boost)
        post.is_gone = True
        self.posts.remove(post)
        for marks in (*self.favourites.values(), *self.bookmarks.values(), *self.pins.values()):
            marks.pop(post, None)
        for told in self.told.values():
            for group in [g for g in told if g[1] is post]:
                del told[group]

    def favourite(self, name, post):
        """Refused for what he does not see."""
        if not self.sees(name, post, ITSELF):
            return False
        if post not in self.favourites[name]:
            self.favourites[name][post] = self.tick()
            self.tell(post.author, ("favourite", post), name)
        return True

    def unfavourite(self, name, post):
        """Can always be done."""
        self.favourites[name].pop(post, None)
        self.untell_one(post.author, ("favourite", post), [self.favourites[n][post] for n in self.fans(post)])

    def boost(self, name, post):
        """The answer: of what he sees, only what is for all or his own may be boosted. A boost is to be added by `add_boost`."""
        if not self.sees(name, post, ITSELF):
            return 404
        mine = post.visibility == "private" and post.author == name
        return 303 if mine or post.visibility in ("public", "unlisted") else 403

    def add_boost(self, boost):
        """Is written; whom it boosts is told."""
        self.posts.append(boost)
        boost.clock = self.tick()
        self.tell(boost.boost.author, ("boost", boost.boost), boost.author)

    def boost_of(self, name, post):
        """His boost of it, or None."""
        return next((p for p in self.posts if p.boost is post and p.author == name), None)

    def unboost(self, name, post):
        """Can always be done."""
        boost = self.boost_of(name, post)
        if boost:
            self.delete(boost)
            self.untell(name, ("update", post))
        self.untell_one(post.author, ("boost", post), [self.boost_of(n, post).clock for n in self.boosters(post)])

    def bookmark(self, name, post):
        """As a favourite, but nobody learns of it."""
        if not self.sees(name, post, ITSELF):
            return False
        self.bookmarks[name].setdefault(post, self.tick())
        return True

    def unbookmark(self, name, post):
        """Can always be done."""
        self.bookmarks[name].pop(post, None)

    def pin(self, name, post):
        """The answer: on top of one's profile are own posts for all, and not many."""
        if not self.sees(name, post, ITSELF):
            return 404
        if post.author != name or post.visibility not in ("public", "unlisted"):
            return 403
        if post not in self.pins[name] and len(self.pins[name]) >= MOST_PINS:
            return 409
        self.pins[name].setdefault(post, self.tick())
        return 303

    def unpin(self, name, post):
        """Can always be done."""
        self.pins[name].pop(post, None)

    def mute_thread(self, name, post, on):
        """He is told nothing more of what happens around this post, or is again."""
        if not self.sees(name, post, ITSELF):
            return False
        (self.quiet[name].add if on else self.quiet[name].discard)(post.root)
        return True

    # --- notices ---

    def tell(self, name, group, other):
        """Tells him what the other did just now."""
        about = group[1]
        is_quiet = isinstance(about, Post) and about.root in self.quiet[name]
        if name != other and not self.hushes(name, other) and not is_quiet:
            self.told[name][group] = self.clock

    def untell(self, name, group):
        """Nothing is left of it."""
        self.told[name].pop(group, None)

    def untell_one(self, name, group, left):
        """One of it was taken back; it is as old as the newest that is left, if that was not dismissed."""
        if group in self.told[name]:
            newest = max(left, default=0)
            if newest > self.dismissed[name].get(group, 0):
                self.told[name][group] = min(newest, self.told[name][group])
            else:
                self.untell(name, group)

    def read_notices(self, name):
        """He has seen them all."""
        self.read[name] = max(self.told[name].values())

    def clear_notices(self, name):
        """Takes them all away, for good."""
        self.dismissed[name].update(self.told[name])
        self.told[name] = {}

    def unread(self, name):
        """The number in the menu: without those of whom he wants to hear nothing."""
        return sum(when > self.read[name] and bool(self.doers(name, group)) for group, when in self.told[name].items())

    def doers(self, name, group):
        """Who did it, of those of whom he wants to hear. Where only he himself is left, it is counted as long as he stands apart from nobody."""
        kind, about = group
        since = self.dismissed[name].get(group, 0)
        if kind == "request":
            people = {about}
        elif kind == "follow":
            people = {n for n in self.followers(name) if self.followed_at[n, name] > since}
        elif kind == "favourite":
            people = {n for n in self.fans(about) if self.favourites[n][about] > since}
        elif kind == "boost":
            people = {n for n in self.boosters(about) if self.boost_of(n, about).clock > since}
        else:
            return {about.author}
        people = {n for n in people - {name} if not self.hushes(name, n)}
        return people if people or self.stands_apart(name) else {name}

    def notices(self, name):
        """Rows of the page, in no order: kind, text of the post (or who asks), who."""
        rows = []
        for group in self.told[name]:
            kind, about = group
            people = {n for n in self.doers(name, group) - {name} if not self.hushes(name, n)}
            if people and (not isinstance(about, Post) or about.author == name or self.sees(name, about, TOLD)):
                rows.append((kind, about.text if isinstance(about, Post) else about, people))
        return rows

    # --- talks ---

    def talks(self, name):
        """Of each of his talks the newest post that he sees and wants to hear; the talk that went on last first. Of many posts that he does
        not see, the page looks at few."""
        talks = {}
        for post in self.posts:  # the oldest first; a talk moves to the end as it goes on
            people = frozenset({post.author, post.answered or post.author, *post.mentions})
            if post.visibility == "direct" and name in people:
                talks[post.root, people] = talks.pop((post.root, people), []) + [post]
        found = []
        for (_, people), posts in reversed(talks.items()):
            hushed = {n for n in people - {name} if self.hushes(name, n)}
            heard = [p for p in posts[-10 if hushed else -2:] if self.sees(name, p, TOLD) and p.author not in hushed]
            if heard and (not hushed or hushed != people - {name}):
                found.append(heard[-1])
        return found

    # --- places ---

    def sees(self, name, post, place):
        """Whether he sees the post there."""
        met = self.filtered(name, post, place)
        if met and met.hides:
            return False
        if post.boost and place == HOME and post.author in self.unboosted.get(name, ()):
            return False
        if post.boost:
            there = {HOME: CHOSEN, PROFILE: AROUND}.get(place, place)
            return place not in (PUBLIC, TAGGED) and self.sees_own(name, post, place) and self.sees_own(name, post.boost, there)
        return self.sees_own(name, post, place)

    def filtered(self, name, post, place):
        """The filter that the post meets there. What is his own, or boosted by him, meets none."""
        if name in (None, post.author, post.shown.author):
            return None
        return self.filter_of(name, post.shown.text, FILTERED[place])

    def sees_own(self, name, post, place):
        """Likewise, but for what it may boost."""
        author = post.author
        if post.is_gone or post.visibility == "direct" and place in (HOME, CHOSEN, PUBLIC, PROFILE):
            return False
        if post.visibility != "public" and place in (PUBLIC, TAGGED):
            return False
        if name is None:
            return post.visibility in ("public", "unlisted")
        if name == author:
            return True
        if self.apart(name, author) or author in self.mutes[name] and place not in (PROFILE, TOLD, ITSELF):
            return False
        if place in (HOME, TAGGED) and self.is_exclusive(name, author):
            return False
        if place == HOME and post.answered not in (None, author, name) and post.answered not in self.follows[name]:
            return False
        return (post.visibility in ("public", "unlisted") or post.addresses(name)
                or post.visibility == "private" and author in self.follows[name])

    def newest(self, name, place, wanted):
        """The posts that are wanted and that he sees there, newest first."""
        return [p for p in reversed(self.posts) if wanted(p) and self.sees(name, p, place)]

    def home(self, name):
        """His home timeline: whom he follows, and the tags."""
        known = self.follows[name] | {name}
        return [p for p in reversed(self.posts) if p.author in known and self.sees(name, p, HOME) or
                p.tags & self.interests[name] and self.sees(name, p, TAGGED)]

    def chosen(self, name, chosen):
        """One of his lists: of answers to others those that it shows."""
        answered = {"list": chosen.members, "followed": self.follows[name], "none": ()}[chosen.replies]
        return self.newest(name, CHOSEN, lambda p: p.author in chosen.members and
                           (p.answered in (None, p.author, name) or p.answered in answered))

    def pinned(self, name, author):
        """On top of somebody's profile."""
        return [p for p in reversed(self.pins[author]) if self.sees(name, p, PROFILE)]

    def profile(self, name, author, replies=True):
        """Somebody's posts, with answers to others or without."""
        return self.newest(name, PROFILE, lambda p: p.author == author and (replies or p.answered in (None, author)))

    def public(self, name, tag=None):
        """Everybody's posts, or those with a tag."""
        return self.newest(name, PUBLIC, lambda p: tag is None or tag in p.tags)

    def marked(self, name, marks):
        """His favourites or bookmarks, newest mark first."""
        return [p for p in reversed(marks[name]) if self.sees(name, p, ITSELF)]

    def above(self, name, post):
        """What it answers, and what that answers, as far as it is there; the first of the conversation first."""
        chain, at = [], post.parent
        while at and not at.is_gone:
            chain.append(at)
            at = at.parent
        return [p for p in reversed(chain) if self.sees(name, p, AROUND)]

    def below(self, name, post):
        """Each answer behind what it answers. What hangs on a hidden one is shown, on one that is gone not."""
        found = []
        for answer in self.posts:
            if answer.parent is post:
                found += [answer] if self.sees(name, answer, AROUND) else []
                found += self.below(name, answer)
        return found

    # --- numbers ---

    def fans(self, post):
        """Who favourited it."""
        return [n for n, marks in self.favourites.items() if post in marks]

    def boosters(self, post):
        """Who boosted it."""
        return [p.author for p in self.posts if p.boost is post]

    def answers(self, post):
        """How many answers it has that are for all."""
        return sum(p.parent is post and p.visibility in ("public", "unlisted") for p in self.posts)

    def counts(self, name):
        """The numbers on his profile."""
        return {"statuses": sum(p.author == name and p.visibility != "direct" for p in self.posts),
                "following": len(self.follows[name]), "followers": len(self.followers(name))}


def differences(shown, expected):
    """What is wrong with a list, for messages."""
    twice = [x for x, n in collections.Counter(shown).items() if n > 1]
    return {"lacks": [x for x in expected if x not in shown], "has": [x for x in shown if x not in expected], "twice": twice,
            "shown": shown[:12], "expected": list(expected)[:12]}
