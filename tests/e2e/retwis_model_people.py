"""What lies between people, for the naive model (retwis_model.py): follows, requests, blocks, mutes, lists, filters.

What a change here means for notices it says with `tell`, `untell` and `untell_one`, which the model has.
"""

LIST_REPLIES = ("list", "followed", "none")  # which answers to others a list shows
FILTER_PLACES = ("home", "notifications", "public", "thread", "account")
OF_POSTS = ("mention", "reply", "update")  # notices of what another wrote


class PeopleList:
    """A list of people: its own timeline, and perhaps no place in home for them."""

    def __init__(self, path):
        self.path, self.members, self.is_exclusive, self.replies = path, set(), False, LIST_REPLIES[0]


class Filter:
    """Hides what has this word, or warns of it, in some places."""

    def __init__(self, word, hides, places):
        self.word, self.hides, self.places = word, hides, places


class People:
    """Who stands how to whom."""

    def __init__(self):
        self.clock = 0
        self.follows, self.blocks, self.mutes, self.hushed = ({} for _ in range(4))  # name: names; hushed: with notifications
        self.followed_at = {}  # (follower, followed): clock; of requests too
        self.asks, self.locked = {}, set()  # name: names; names
        self.interests = {}  # name: tags that he follows
        self.unboosted = {}  # name: whose boosts he does not want
        self.lists, self.filters = {}, {}  # name: those of his, the oldest first

    def tick(self):
        """Something happens, later than all before."""
        self.clock += 1
        return self.clock

    def sign_up(self, name):
        """Somebody new."""
        for of in (self.follows, self.blocks, self.mutes, self.hushed, self.asks, self.interests, self.unboosted):
            of[name] = set()
        self.lists[name], self.filters[name] = [], []

    # --- deeds; those with an answer say whether it can be done ---

    def follow(self, name, other):
        """Refused between people one of whom blocks the other. Whose account is locked is asked."""
        if self.apart(name, other):
            return False
        asks = other in self.locked and other not in self.follows[name]
        mine = self.asks[name] if asks else self.follows[name]
        if other not in mine:
            mine.add(other)
            self.followed_at[name, other] = self.tick()
            self.tell(other, ("request", name) if asks else ("follow", None), name)
        return True

    def unfollow(self, name, other):
        """Also takes a request back. And what removing a follower comes to."""
        was = other in self.follows[name]
        self.follows[name].discard(other)
        self.unboosted[name].discard(other)
        self.end_request(name, other)
        if was:
            self.untell_one(other, ("follow", None), [self.followed_at[n, other] for n in self.followers(other)])

    def want_boosts(self, name, other, on):
        """Of somebody whom he follows; in his home."""
        (self.unboosted[name].discard if on else self.unboosted[name].add)(other)

    def end_request(self, name, other):
        """Nothing is asked any more."""
        self.asks[name].discard(other)
        self.untell(other, ("request", name))

    def answer(self, name, other, grants):
        """Lets the other follow who asks to, or does not. Who is let in is told of like everybody who follows."""
        if name in self.asks[other]:
            self.end_request(other, name)
            if grants:
                self.follows[other].add(name)
                self.followed_at[other, name] = self.tick()
                self.tell(name, ("follow", None), other)

    def lock(self, name, on):
        """Whoever opens his account lets in all who wait."""
        (self.locked.add if on else self.locked.discard)(name)
        for other in [] if on else self.askers(name):
            self.answer(name, other, True)

    def block(self, name, other):
        """Neither follows the other from here on, nor is told of his posts; what he was told of them goes."""
        self.blocks[name].add(other)
        for one, two in ((name, other), (other, name)):
            self.unfollow(one, two)
            for group in [g for g in self.told[one] if g[0] in OF_POSTS and g[1].author == two]:
                self.untell(one, group)

    def mute(self, name, other, hush):
        """With his notifications, or (any more) without."""
        self.mutes[name].add(other)
        (self.hushed[name].add if hush else self.hushed[name].discard)(other)

    def unmute(self, name, other):
        """Entirely."""
        self.mutes[name].discard(other)
        self.hushed[name].discard(other)

    # --- what is so ---

    def apart(self, one, other):
        """Whether one of the two blocks the other."""
        return other in self.blocks.get(one, ()) or one in self.blocks.get(other, ())

    def hushes(self, name, other):
        """Whether he wants to hear nothing of the other."""
        return self.apart(name, other) or other in self.hushed[name]

    def stands_apart(self, name):
        """Whether he blocks or mutes anybody, or is blocked."""
        return bool(self.blocks[name] or self.mutes[name]) or any(name in blocks for blocks in self.blocks.values())

    def followers(self, name):
        """Who follows him."""
        return {n for n, follows in self.follows.items() if name in follows}

    def askers(self, name):
        """Who asks to."""
        return {n for n, asks in self.asks.items() if name in asks}

    def is_exclusive(self, name, author):
        """Whether the author stands on a list, and therefore not in his home."""
        return any(author in one.members for one in self.lists[name] if one.is_exclusive)

    def filter_of(self, name, text, place):
        """The filter that the text meets there; one that hides first."""
        met = [f for f in self.filters[name] if place in f.places and f.word in text.split()]
        return next((f for f in met if f.hides), met[0] if met else None)
