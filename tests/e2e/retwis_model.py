"""What everybody should see, computed in the most simple-minded way: the naive model of the property tests.

People are names, and None is a visitor who is not signed in. A clock counts what happens, so that "later" needs no time. A new kind of
deed is a method that changes the sets; a new place, one that reads them; who sees what is `sees` alone.
"""

import collections

HOME, CHOSEN, PUBLIC, PROFILE, AROUND, ITSELF = "home", "chosen", "public", "profile", "around", "itself"


class Post:
    """One post. `parent` is the post that it answers, which may be gone; `boost` the one that it boosts, if it does nothing else."""

    def __init__(self, text, author, visibility="public", parent=None, mentions=(), tags=(), boost=None):
        self.text, self.author, self.visibility, self.parent = text, author, visibility, parent
        self.mentions, self.tags, self.boost = set(mentions), set(tags), boost
        self.id = None
        self.is_gone = False

    def __repr__(self):
        return f"<{self.id} {self.text!r} {self.visibility}>"

    @property
    def shown(self):
        """The post that is seen where this one stands."""
        return self.boost or self

    @property
    def answered(self):
        """Whom it answers."""
        return self.parent and self.parent.author

    def addresses(self, name):
        """Whether it mentions or answers him."""
        return name in self.mentions or name == self.answered


class Model:
    """All people, posts and what lies between them."""

    def __init__(self):
        self.clock = 0
        self.posts = []  # those that are there, oldest first
        self.settled = set()  # those acknowledged before the queue was last empty
        self.follows, self.blocks, self.mutes, self.hushed = ({} for _ in range(4))  # name: names; hushed: with notifications
        self.followed_at, self.boosted_at = {}, {}  # (follower, followed): clock, boost: clock
        self.favourites, self.bookmarks = {}, {}  # name: {post: clock}, in the order of the marks
        self.told, self.dismissed = {}, {}  # name: {(kind, post or None): clock of the newest in it}
        self.read = {}  # name: clock

    def tick(self):
        """Something happens, later than all before."""
        self.clock += 1
        return self.clock

    def settle(self):
        """The queue is empty: from here on everything written so far must show."""
        self.settled = set(self.posts)

    # --- deeds; those with an answer say whether it can be done ---

    def sign_up(self, name):
        """Somebody new."""
        for of, empty in ((self.follows, set), (self.blocks, set), (self.mutes, set), (self.hushed, set), (self.favourites, dict),
                          (self.bookmarks, dict), (self.told, dict), (self.dismissed, dict), (self.read, int)):
            of[name] = empty()

    def post(self, post):
        """Is written: whom it answers is told of that, all others whom it mentions of the mention."""
        self.posts.append(post)
        self.tick()
        if post.answered:
            self.tell(post.answered, ("reply", post), post.author)
        for name in post.mentions - {post.answered}:
            self.tell(name, ("mention", post), post.author)

    def delete(self, post):
        """Is taken back, with all that hangs on it."""
        for boost in [p for p in self.posts if p.boost is post]:
            self.delete(boost)
        post.is_gone = True
        self.posts.remove(post)
        for marks in (*self.favourites.values(), *self.bookmarks.values()):
            marks.pop(post, None)
        for told in self.told.values():
            for group in [g for g in told if g[1] is post]:
                del told[group]

    def follow(self, name, other):
        """Refused between people one of whom blocks the other."""
        if self.apart(name, other):
            return False
        if other not in self.follows[name]:
            self.follows[name].add(other)
            self.followed_at[name, other] = self.tick()
            self.tell(other, ("follow", None), name)
        return True

    def unfollow(self, name, other):
        """Also what removing a follower comes to."""
        self.follows[name].discard(other)
        if not any(other in follows for follows in self.follows.values()):
            self.told[other].pop(("follow", None), None)

    def block(self, name, other):
        """Neither follows the other from here on."""
        self.blocks[name].add(other)
        self.unfollow(name, other)
        self.unfollow(other, name)

    def mute(self, name, other, hush):
        """With his notifications, or (any more) without."""
        self.mutes[name].add(other)
        (self.hushed[name].add if hush else self.hushed[name].discard)(other)

    def unmute(self, name, other):
        """Entirely."""
        self.mutes[name].discard(other)
        self.hushed[name].discard(other)

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
        if not self.fans(post):
            self.told[post.author].pop(("favourite", post), None)

    def boost(self, name, post):
        """The answer: of what he sees, only what is for all or his own may be boosted. A boost is to be added by `add_boost`."""
        if not self.sees(name, post, ITSELF):
            return 404
        mine = post.visibility == "private" and post.author == name
        return 303 if mine or post.visibility in ("public", "unlisted") else 403

    def add_boost(self, boost):
        """Is written; whom it boosts is told."""
        self.posts.append(boost)
        self.boosted_at[boost] = self.tick()
        self.tell(boost.boost.author, ("boost", boost.boost), boost.author)

    def boost_of(self, name, post):
        """His boost of it, or None."""
        return next((p for p in self.posts if p.boost is post and p.author == name), None)

    def unboost(self, name, post):
        """Can always be done."""
        boost = self.boost_of(name, post)
        if boost:
            self.delete(boost)
        if not self.boosters(post):
            self.told[post.author].pop(("boost", post), None)

    def bookmark(self, name, post):
        """As a favourite, but nobody learns of it."""
        if not self.sees(name, post, ITSELF):
            return False
        self.bookmarks[name].setdefault(post, self.tick())
        return True

    def unbookmark(self, name, post):
        """Can always be done."""
        self.bookmarks[name].pop(post, None)

    # --- notices ---

    def hushes(self, name, other):
        """Whether he wants to hear nothing of the other."""
        return self.apart(name, other) or other in self.hushed[name]

    def tell(self, name, group, other):
        """Tells him what the other did just now."""
        if name != other and not self.hushes(name, other):
            self.told[name][group] = self.clock

    def read_notices(self, name):
        """He has seen them all."""
        self.read[name] = self.tick()

    def clear_notices(self, name):
        """Takes them all away, for good."""
        self.dismissed[name].update(self.told[name])
        self.told[name] = {}

    def unread(self, name):
        """The number in the menu."""
        return sum(when > self.read[name] for when in self.told[name].values())

    def notices(self, name):
        """Rows of the page, in no order: kind, text of the post, who."""
        rows = []
        for group in self.told[name]:
            kind, post = group
            since = self.dismissed[name].get(group, 0)
            if kind == "follow":
                people = {n for n in self.follows if name in self.follows[n] and self.followed_at[n, name] > since}
            elif kind == "favourite":
                people = {n for n in self.fans(post) if self.favourites[n][post] > since}
            elif kind == "boost":
                people = {n for n in self.boosters(post) if self.boosted_at[self.boost_of(n, post)] > since}
            else:
                people = {post.author} if self.sees(name, post, ITSELF) else set()
            people = {n for n in people - {name} if not self.hushes(name, n)}
            if people:
                rows.append((kind, post.text if post else None, people))
        return rows

    # --- places ---

    def apart(self, one, other):
        """Whether one of the two blocks the other."""
        return other in self.blocks.get(one, ()) or one in self.blocks.get(other, ())

    def sees(self, name, post, place):
        """Whether he sees the post there."""
        if post.boost:
            there = {HOME: CHOSEN, PROFILE: AROUND}.get(place, place)
            return place != PUBLIC and self.sees_own(name, post, place) and self.sees_own(name, post.boost, there)
        return self.sees_own(name, post, place)

    def sees_own(self, name, post, place):
        """Likewise, but for what it may boost."""
        author = post.author
        if post.is_gone or post.visibility == "direct" and place in (HOME, CHOSEN, PUBLIC, PROFILE):
            return False
        if post.visibility != "public" and place == PUBLIC:
            return False
        if name is None:
            return post.visibility in ("public", "unlisted")
        if name == author:
            return True
        if self.apart(name, author) or author in self.mutes[name] and place not in (PROFILE, ITSELF):
            return False
        if place == HOME and post.answered not in (None, author, name) and post.answered not in self.follows[name]:
            return False
        return (post.visibility in ("public", "unlisted") or post.addresses(name)
                or post.visibility == "private" and author in self.follows[name])

    def newest(self, name, place, wanted):
        """The posts that are wanted and that he sees there, newest first."""
        return [p for p in reversed(self.posts) if wanted(p) and self.sees(name, p, place)]

    def home(self, name):
        """His home timeline."""
        return self.newest(name, HOME, lambda p: p.author in self.follows[name] | {name})

    def profile(self, name, author):
        """Somebody's posts."""
        return self.newest(name, PROFILE, lambda p: p.author == author)

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

    def followers(self, name):
        """Who follows him."""
        return {n for n, follows in self.follows.items() if name in follows}


def differences(shown, expected):
    """What is wrong with a list, for messages."""
    twice = [x for x, n in collections.Counter(shown).items() if n > 1]
    return {"lacks": [x for x in expected if x not in shown], "has": [x for x in shown if x not in expected], "twice": twice,
            "shown": shown[:12], "expected": list(expected)[:12]}
