"""What people do in the histories of the property tests, each thing until it is acknowledged, and what the naive model makes of it.

A deed is a method, with a weight in DEEDS. A new one also stands in NEED_CALM, if it decides what others are told, and in
SETTLES, if it has another side that somebody else sees.
"""

import time
import uuid

import requests

from retwis_browser import Browser
from retwis_look import NOTICES, PAGE, TAGS, TROUBLE, Looking
from retwis_model import ITSELF, Post
from retwis_model_people import FILTER_PLACES, LIST_REPLIES, Filter, PeopleList
from retwis_process import limit, wait_until
from retwis_engine import EngineError

INLINE = 2  # followers to whom a post is delivered before the answer
WORDS = ("tea", "coffee", "cake", "soup")  # one in each post, for filters

DEEDS = {"post": 44, "follow": 15, "unfollow": 7, "edit": 7, "delete": 8, "favourite": 12, "unfavourite": 3, "boost": 9, "unboost": 2,
         "bookmark": 4, "unbookmark": 1, "pin": 3, "unpin": 1, "remove": 2, "block": 3, "unblock": 4, "mute": 4, "unmute": 3,
         "lock": 2, "answer": 4, "hush_thread": 2, "add_filter": 1.5, "drop_filters": 0.7, "make_list": 1.5, "fill_list": 5, "set_list": 2,
         "drop_list": 0.5, "follow_tag": 2.5, "want_boosts": 3, "read_notices": 1.5, "clear_notices": 1}
# While a delivery or a notice may be under way, it is not known whether it comes before one of these.
NEED_CALM = {"block", "unblock", "mute", "unmute", "lock", "answer", "hush_thread", "want_boosts", "read_notices", "clear_notices"}
# If a connection is lost or a server dies, the other side comes after by a job; what he does or sees until then is neither right nor wrong.
SETTLES = {"block", "unblock", "lock", "answer", "edit"}
VISIBILITIES = {"public": 70, "unlisted": 10, "private": 14, "direct": 6}


class Deeds(Looking):
    """What a world needs for them, beside what it needs to be looked at: server, uids, number, quiet, settle()."""

    # --- until it is acknowledged ---

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

    def must_answer(self, page, *statuses):
        """The answer that was expected, or one of them."""
        assert page.status in statuses, (statuses, page.summary)

    def choose_deed(self):
        """What somebody does next. What needs calm becomes a post while there is none."""
        kind, = self.rng.choices(list(DEEDS), DEEDS.values())
        return kind if kind not in NEED_CALM or self.calm() else "post"

    def act(self, name):
        """Something that changes the data."""
        kind = self.choose_deed()
        getattr(self, kind)(name)
        self.settle_after(kind)

    def settle_after(self, kind):
        """Waits for the other side, where there is one. Whoever follows a locked account may have to ask only by then."""
        if kind in SETTLES or kind == "follow" and self.model.locked:
            self.settle()

    # --- posts ---

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

    def words(self, head):
        """A text with a word, mentions and tags; and these."""
        mentions = self.rng.sample(list(self.people), self.rng.choice([0, 0, 0, 1, 1, 2]))
        tags = self.rng.sample(TAGS, self.rng.choice([0, 1, 1, 1, 1, 2]))
        return " ".join([head, self.rng.choice(WORDS), *[f"@{n}" for n in mentions], *[f"#{t}" for t in tags]]), mentions, tags

    def post(self, name):
        """Of its own, or as an answer."""
        parent = self.some_post(name) if self.rng.random() < 0.4 else None
        self.write(name, parent, *self.rng.choices(list(VISIBILITIES), VISIBILITIES.values()))

    def write(self, name, parent, visibility):
        """Later than any before. An answer is refused if he does not see what it answers."""
        self.number += 1
        text, mentions, tags = self.words(f"{self.number} by {name}")
        fields = {"in_reply_to_id": parent.id} if parent else {}
        time.sleep(0.0011)
        page = self.ask(name, "/posts", status=text, visibility=visibility, idempotency_key=str(uuid.uuid4()), next="/home", **fields)
        if parent and not self.model.sees(name, parent, ITSELF):
            self.must_answer(page, 422)
            return
        self.must_answer(page, 303)
        post = Post(text, name, visibility, parent, mentions, tags)
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

    def own_post(self, name):
        """One of his newest, or None."""
        mine = [post for post in self.written(40) if post.author == name]
        return self.rng.choice(mine) if mine else None

    def edit(self, name):
        """Says one of the newest in other words; perhaps it mentions others then, and has other tags."""
        post = self.own_post(name)
        if post:
            text, mentions, tags = self.words(" ".join(post.text.split()[:3]) + f" in version {post.versions + 1}")
            self.must_answer(self.ask(name, f"/posts/{post.id}/edit", status=text, next="/home"), 303)
            self.model.edit(post, text, mentions, tags)
            self.quiet = False

    def delete(self, name):
        """Takes one of the newest back, perhaps to write it again. Gone already (a retry) is as good."""
        post, redraft = self.own_post(name), self.rng.random() < 0.3
        if not post:
            return
        page = self.ask(name, f"/posts/{post.id}/delete", next="/home", redraft="1" if redraft else "")
        self.must_answer(page, 200 if redraft else 303, 404)
        parent = None if not post.parent or post.parent.is_gone else post.parent
        self.model.delete(post)
        if page.status == 200:
            values = page.form("#compose").values
            assert (values["status"], values["visibility"]) == (post.text, post.visibility), (post, values)
            assert values.get("in_reply_to_id", "") in (parent.id if parent else "", post.parent.id if post.parent else ""), (post, values)
        if redraft:
            self.write(name, parent, post.visibility)

    # --- people ---

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
        expected = {other: change(name, other) is not False and other not in self.model.asks[name] for other in chosen}
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

    def lock(self, name):
        """Wants to be asked from here on, or lets in whoever waits."""
        on = name not in self.model.locked
        self.must_answer(self.ask(name, "/settings/locked", locked="true" if on else ""), 303)
        self.settle()
        self.model.lock(name, on)

    def answer(self, name):
        """Lets somebody follow who asks to, or does not; or all who do."""
        grants, askers = self.rng.random() < 0.6, sorted(self.model.askers(name))
        verb = "accept" if grants else "reject"
        if askers:
            chosen = askers if self.rng.random() < 0.3 else [self.rng.choice(askers)]
            path = f"/@{chosen[0]}/{verb}" if len(chosen) == 1 else f"/requests/{verb}"
            self.must_answer(self.ask(name, path, next="/home"), 303)
            self.settle()
            for other in chosen:
                self.model.answer(name, other, grants)

    # --- what one does with posts ---

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

    def pin(self, name):
        """Puts a post on top of his profile; or tries to, with another's."""
        post = self.own_post(name) if self.rng.random() < 0.8 else self.some_post(name)
        if post:
            self.must_answer(self.ask(name, f"/posts/{post.id}/pin", next="/home"), self.model.pin(name, post))

    def unpin(self, name):
        """One of those there, or not."""
        mine = list(self.model.pins[name])
        self.mark(name, "unpin", self.model.unpin, self.rng.choice(mine) if mine else self.some_post(name))

    def hush_thread(self, name):
        """Wants to hear no more of a conversation, or again."""
        post = self.some_post(name)
        if post:
            on = post.root not in self.model.quiet[name]
            self.mark(name, "mute" if on else "unmute", lambda me, what: self.model.mute_thread(me, what, on), post)

    # --- what one's own pages show ---

    def add_filter(self, name):
        """Hides a word, or warns of it, in some places."""
        word, hides = self.rng.choice(WORDS), self.rng.random() < 0.5
        places = self.rng.sample(FILTER_PLACES, self.rng.randint(1, len(FILTER_PLACES)))
        page = self.ask(name, "/settings/filters", phrase=word, filter_action="hide" if hides else "warn", **{p: "true" for p in places})
        self.must_answer(page, 303)
        self.model.filters[name].append(Filter(word, hides, places))

    def drop_filters(self, name):
        """All of them: a request that was repeated may have made one twice."""
        for row in self.page_of(name, "/settings/filters").all(".filter"):
            self.must_answer(self.ask(name, f"/settings/filters/{row['data-id']}/delete"), 303, 404)
        self.model.filters[name] = []

    def want_boosts(self, name):
        """Wants no boosts of somebody whom he follows, or again."""
        others = sorted(self.model.follows[name])
        if others:
            other = self.rng.choice(others)
            on = other in self.model.unboosted[name]
            self.must_answer(self.ask(name, f"/@{other}/follow", reblogs="true" if on else "false", next="/home"), 303)
            self.model.want_boosts(name, other, on)

    def follow_tag(self, name):
        """Wants to have its posts at home, or not any more."""
        tag = self.rng.choice(TAGS)
        on = tag not in self.model.interests[name]
        self.must_answer(self.ask(name, f"/tags/{tag}/{'follow' if on else 'unfollow'}", next="/home"), 303)
        (self.model.interests[name].add if on else self.model.interests[name].discard)(tag)

    def make_list(self, name):
        """One more."""
        self.number += 1
        page = self.ask(name, "/lists", title=f"list {self.number}")
        self.must_answer(page, 303)
        self.model.lists[name].append(PeopleList(page.headers["Location"].removesuffix("/members")))

    def some_list(self, name):
        """One of his, or None."""
        return self.rng.choice(self.model.lists[name]) if self.model.lists[name] else None

    def fill_list(self, name):
        """Puts some on a list, or takes them off."""
        chosen, on = self.some_list(name), self.rng.random() < 0.7
        if chosen:
            names = self.rng.sample(list(self.people), self.rng.randint(1, 3))
            page = self.ask(name, f"{chosen.path}/{'add' if on else 'remove'}", names=",".join(names))
            self.must_answer(page, 200)
            (chosen.members.update if on else chosen.members.difference_update)(names)
            number, shown = int(page.first("[data-count=members]").text), set(page.names)
            assert number == len(chosen.members), (name, chosen.path, number, chosen.members)
            assert shown <= chosen.members and len(shown) == min(PAGE, number), (name, chosen.path, shown, chosen.members)

    def set_list(self, name):
        """Whether its people leave home, and which answers it shows."""
        chosen = self.some_list(name)
        if chosen:
            chosen.is_exclusive, chosen.replies = self.rng.random() < 0.5, self.rng.choice(LIST_REPLIES)
            page = self.ask(name, f"{chosen.path}/set", exclusive="true" if chosen.is_exclusive else "", replies_policy=chosen.replies)
            self.must_answer(page, 303)

    def drop_list(self, name):
        """Gone already (a retry) is as good."""
        chosen = self.some_list(name)
        if chosen:
            self.must_answer(self.ask(name, f"{chosen.path}/delete"), 303, 404)
            self.model.lists[name].remove(chosen)

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
