"""A visitor who does anything, in any order: all addresses, all methods, cookies of the living and the dead, stale
forms, fields that are absent, repeated or huge; and between them what people really do.

Everything follows from the seed. What he knows of the site is a small model, enough to say at every answer: no 500; a
page is made for the owner of the cookie, or for nobody; and nothing on it is private to somebody else.
"""

import collections
import random
import re
import time

from retwis_routes import Caller, read_routes
from retwis_server import PASSWORD

SECRET = "A" * 43
STATUSES = {200, 204, 303, 304, 308, 400, 401, 403, 404, 405, 409, 411, 413, 414, 415, 417, 422, 429, 431, 501}
METHODS = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW", "get"]
WORDS = ["", "x", "0", "-1", "1", "00", "1e9", "9" * 18, "9" * 19, "1" * 18, "9223372036854775807", "4611686018427387903", "null",
         "a,b", ",", "\0", "\xff", "\u202e", "\U0001f600" * 30, "'", '"><script>alert(1)</script>', "{{t.sign_in}}", "%s%n", "../..",
         "/\\x", "//evil.example", "\r\nSet-Cookie: a=b", "*" * 40, "{0}:user:1", "FLUSHALL", "a" * 31, "#tag @nobody http://x.yz"]
HEADERS = [("Authorization", "Bearer x"), ("X-CSRF-Token", "x"), ("Accept-Language", "zh;q=0.5,*;q=x"),
           ("If-None-Match", '"x"'), ("Range", "bytes=0-1"), ("Sec-Fetch-Site", "cross-site"), ("Origin", "null"),
           ("Content-Type", "application/json"), ("Content-Type", "multipart/form-data; boundary=x"), ("Expect", "100-continue"),
           ("X-Forwarded-For", "10.0.0.1, x"), ("X-Forwarded-Proto", "https"), ("Accept", "x/y"), ("Referer", "x"), ("TE", "x")]
_ME = re.compile(r'class="?i-profile"? href="?/@(\w+)')
_STATUS = re.compile(r'<article class="?status[^>]*? id=post-(\d+)[ >]')
_SESSION = re.compile(r'class="?session"? data-id="?([^" >]*)')
_PRIVATE = re.compile(r"private-(\w+?)-of")


class Person:
    """An account as the model knows it."""

    def __init__(self, name, password):
        self.name = name
        self.password = password
        self.sessions = set()
        self.posts = []
        self.lists = []


class Fuzz:
    """One seed's life on a server; other lives may go on beside it."""

    def __init__(self, server, seed, may_be_away=False):
        self.server = server
        self.rng = random.Random(seed)
        self.prefix = f"f{seed % 1000000:x}"
        self.may_be_away = may_be_away  # somebody kills the engine now and then: 503 is an answer
        self.routes = read_routes(server)
        self.caller = Caller(server)
        self.people = []
        self.dead = [f"117657670766635999.{SECRET}"]
        self.ids = ["117657670766635999", "1" * 18]
        self.names = ["nobody_at_all", "a" * 30]
        self.hashes = ["x"]
        self.tokens = ["", "x" * 43]
        self.recent = collections.deque(maxlen=12)
        self.statuses = collections.Counter()
        self.number = 0

    # --- asking, and looking at every answer ---

    def ask(self, method, path, cookie=None, fields=None, headers=()):
        """Sends it and judges the answer by what must hold always."""
        self.recent.append((method, path[:200], (cookie or "")[:200], str(fields)[:300], headers))
        answer = self.caller.ask(method, path, cookie, fields, headers)
        self.recent.append(answer.status)
        self.statuses[answer.status] += 1
        away = answer.status == 503 and self.may_be_away
        assert answer.status in STATUSES or away, f"{answer.status}: {answer.body[:300]}"
        # a request may end its own session; whose the page is was settled when it came
        self.look(answer, self.owner(cookie), away)
        if answer.token:
            self.tokens = (self.tokens + [answer.token])[-20:]
        return answer

    def look(self, answer, owner, away):
        """Whose page it is, and that nothing on it is somebody else's."""
        me = _ME.search(answer.body)
        assert not me or owner and me[1].lower() == owner.name.lower(), f"the page of {me[1]}, asked by {owner and owner.name}"
        for name in set(_PRIVATE.findall(answer.body)):
            assert owner and name == owner.name, f"something private of {name}, asked by {owner and owner.name}"
        assert PASSWORD not in answer.body
        if not away:
            self.ids = (self.ids + _STATUS.findall(answer.body)[:2])[-60:]
            self.hashes = (self.hashes + _SESSION.findall(answer.body)[:2])[-20:]

    def owner(self, cookie):
        """Whose session this header brings; None for nobody's."""
        found = re.findall(r"(?:^|;\s*)retwis=([^;]*)", cookie or "")
        return next((p for p in self.people if len(found) == 1 and found[0] in p.sessions), None)

    @staticmethod
    def was_done(answer):
        """What was asked for happened, and did not lead to the sign-in page."""
        return answer.status == 303 and not answer.header("Location").startswith("/auth/sign_in")

    def ends(self, person, *cookies):
        """These sessions of his are over."""
        ended = set(cookies)
        person.sessions -= ended
        self.dead = (self.dead + sorted(ended))[-30:]

    def find_out(self, person):
        """Looks which of his sessions still are."""
        for cookie in sorted(person.sessions):
            answer = self.caller.ask("GET", "/home", f"retwis={cookie}")
            if answer.status == 303:
                self.ends(person, cookie)

    # --- what people do ---

    def form(self, path, cookie, fields):
        """A form with the token that the page had."""
        token, cookie = self.caller.token(cookie)
        return self.ask("POST", path, cookie, {"csrf_token": token, **fields})

    def keep(self, answer, person, before):
        """A session came with the answer; the one of before is over, whoever's it was."""
        old = self.owner(before)
        for value in answer.cookies("retwis"):
            if old and value and self.may_be_away:
                self.find_out(old)
            elif old and value:
                self.ends(old, re.search(r"retwis=([^;]*)", before)[1])
            if value:
                person.sessions.add(value)

    def sign_up(self):
        """A new person, in a browser that may have been another's."""
        self.number += 1
        person = Person(f"{self.prefix}_{self.number}", f"{PASSWORD} {self.number}")
        cookie = self.any_cookie() if self.rng.random() < 0.3 else None
        answer = self.form("/auth/sign_up", cookie, {"username": person.name, "password": person.password,
                                                     "password2": person.password})
        if answer.status == 303:
            self.keep(answer, person, cookie)
            self.people.append(person)
            self.names = (self.names + [person.name])[-20:]

    def sign_in(self):
        """Another browser of his; or a wrong password."""
        person = self.somebody()
        right = self.rng.random() < 0.8
        cookie = self.any_cookie() if self.rng.random() < 0.4 else None
        answer = self.form("/auth/sign_in", cookie,
                           {"username": person.name, "password": person.password if right else PASSWORD + "?"})
        assert right or not any(answer.cookies("retwis")), "a wrong password was let in"
        self.keep(answer, person, cookie)

    def sign_out(self):
        """Ends one session."""
        person, cookie = self.session()
        if self.was_done(self.form("/auth/sign_out", f"retwis={cookie}", {})):
            self.ends(person, cookie)

    def revoke(self):
        """Ends another session of his, or all others."""
        person, cookie = self.session()
        page = self.ask("GET", "/settings/sessions", f"retwis={cookie}")
        hashes = _SESSION.findall(page.body)
        if not hashes or self.rng.random() < 0.3:
            if self.was_done(self.form("/settings/sessions/revoke_others", f"retwis={cookie}", {})):
                self.ends(person, *person.sessions - {cookie})
        else:
            self.form(f"/settings/sessions/{self.rng.choice(hashes)}/revoke", f"retwis={cookie}", {})
            self.find_out(person)

    def change_password(self):
        """Ends the other sessions with it."""
        person, cookie = self.session()
        new = f"{PASSWORD} new {self.rng.randrange(10 ** 6)}"
        answer = self.form("/settings/password", f"retwis={cookie}", {"current_password": person.password, "password": new,
                                                                      "password2": new})
        if self.was_done(answer):
            person.password = new
            self.ends(person, *person.sessions - {cookie})

    def post(self):
        """Writes something, perhaps an answer; it stands first on his profile."""
        person, cookie = self.session()
        text = f"post {self.rng.randrange(10 ** 6)} #tag @{self.rng.choice(self.names)}"
        fields = {"status": text, "next": "/public"}
        if self.rng.random() < 0.4:
            fields["in_reply_to_id"] = self.rng.choice(self.ids)
        answer = self.form("/posts", f"retwis={cookie}", fields)
        page = self.ask("GET", f"/@{person.name}/replies", f"retwis={cookie}")
        if self.was_done(answer) and page.status == 200:
            assert text.split(" #")[0] in page.body, "an acknowledged post is not on its author's profile"
            person.posts.append(_STATUS.findall(page.body)[0])

    def delete(self):
        """Takes one of his posts back, for good."""
        person, cookie = self.session()
        if person.posts:
            post = person.posts.pop(self.rng.randrange(len(person.posts)))
            if self.was_done(self.form(f"/posts/{post}/delete", f"retwis={cookie}", {})):
                answer = self.ask("GET", f"/@{person.name}/{post}", f"retwis={cookie}")
                assert answer.status in (404, 503), "a deleted post is there"

    def follow(self):
        """Follows or leaves one or many."""
        _, cookie = self.session()
        verb = self.rng.choice(["follow", "unfollow"])
        if self.rng.random() < 0.5:
            self.form(f"/@{self.rng.choice(self.names)}/{verb}", f"retwis={cookie}", {})
        else:
            self.form(f"/{verb}", f"retwis={cookie}", {"names": ", ".join(self.rng.choices(self.names, k=4))})

    def make_list(self):
        """A list, which only its owner may see, with people on it."""
        person, cookie = self.session()
        answer = self.form("/lists", f"retwis={cookie}", {"title": f"private-{person.name}-of {self.number}"})
        found = re.search(r"/lists/(\d+)", answer.header("Location") or "")
        if found:
            self.ids = (self.ids + [found[1]])[-60:]
            person.lists.append(found[1])
            self.form(f"/lists/{found[1]}/add", f"retwis={cookie}", {"names": ", ".join(self.rng.choices(self.names, k=3))})

    def administer(self):
        """What the command line does to people while they are signed in."""
        person = self.somebody()
        if self.rng.random() < 0.5 and len(self.people) > 3:
            done = self.server.cli("user", "delete", person.name, "--yes", expect=None)
            assert done.returncode == 0 or self.may_be_away, done
            if done.returncode == 0:
                self.people.remove(person)
                self.ends(person, *person.sessions)
        else:
            self.server.cli("user", self.rng.choice(["promote", "demote"]), person.name, expect=None)

    # --- what nobody does ---

    def value(self, name):
        """Something for a parameter: what belongs there, or what does not."""
        if self.rng.random() < 0.25:
            word = self.rng.choice(WORDS)
            return word * self.rng.choice([1, 1, 1, 40, 3000]) if len(word) < 40 else word
        if name in ("id", "max_id", "min_id", "since_id", "in_reply_to_id"):
            return self.rng.choice(self.ids + self.hashes)
        if name in ("name", "username"):
            return self.rng.choice(self.names)
        if name == "names":
            return self.rng.choice([",", "\n", " ", "\x00"]).join(self.rng.choices(self.names, k=self.rng.randrange(6)))
        if name == "path":
            return self.rng.choice(["style.css", "../../etc/passwd", "", "icons/favicon.svg", "x/" * 50])
        return self.rng.choice(["en", "zh", "tag", "text", "next", "/home", "private-nobody-xof"])

    def any_cookie(self):
        """A header: of the living, of the dead, of neither, of two."""
        living = sorted(c for p in self.people for c in p.sessions)
        kind = self.rng.randrange(10)
        value = self.rng.choice(living) if living and kind < 5 else self.rng.choice(self.dead)
        if kind == 6 and living:
            value = value[:19] + self.rng.choice(living)[19:]  # another's secret
            if value in living:
                return f"retwis={value}"
        if kind == 7:
            value = self.rng.choice(["", "x", "7" * self.rng.randrange(8000), value[:-1], value + "x", value[:18]])
        header = f"retwis={value}"
        if kind == 8:
            header += f"; retwis={self.rng.choice(self.dead)}"
        if self.rng.random() < 0.2:
            header += "; " + self.rng.choice(["retwis_flash=flash_followed~x", "retwis_flash=flash_nothing", "retwis_locale=zz",
                                              "retwis_device=x.y.z", "retwis_visitor=x", "a=" + "b" * 500, "=;;=", "retwis_locale=zh"])
        return header

    def wild(self):
        """Any address with any method, cookie, token and fields."""
        route = self.rng.choice(self.routes)
        cookie = self.any_cookie() if self.rng.random() < 0.9 else None
        values = {name: self.value(name) for name in [*route.parameters, *route.variables]}
        method = self.rng.choice(route.methods if self.rng.random() < 0.85 else METHODS)
        fields = [(k, v) for k, v in route.fields(values).items() if self.rng.random() < 0.85]
        while fields and self.rng.random() < 0.2:
            name, value = self.rng.choice(fields)
            fields.append((self.rng.choice([name, f"{name}[]", name.upper(), ""]), self.rng.choice([value, self.value(name)])))
        if method == "POST" and self.rng.random() < 0.85:
            token = self.rng.choice(self.tokens)
            if self.rng.random() < 0.8:
                token, cookie = self.caller.token(cookie)
            fields.append(("csrf_token", token))
        headers = self.rng.sample(HEADERS, self.rng.choice([0, 0, 0, 0, 1, 2]))
        owner = self.owner(cookie)
        answer = self.ask(method, route.fill(values), cookie, fields, headers)
        if method == "POST" and (owner or any(answer.cookies("retwis"))) and answer.status in (200, 303):
            self.learn(answer, route, owner, dict(fields), cookie)

    def learn(self, answer, route, owner, fields, cookie):
        """What a wild request that was done has changed."""
        if any(answer.cookies("retwis")):  # it signed somebody in
            name = fields["username"].lower()
            who = next((p for p in self.people if p.name.lower() == name), None)
            if who is None:
                who = Person(fields["username"], fields.get("password", ""))
                self.people.append(who)
            self.keep(answer, who, cookie)
        elif "/auth/" in route.path or "/sessions" in route.path or route.path == "/settings/password":
            self.find_out(owner)
            if owner and route.path == "/settings/password" and answer.status == 303 and owner.sessions:
                owner.password = fields.get("password", owner.password)
        elif route.path == "/posts/:id/delete":
            for person in self.people:  # an administrator may take anybody's
                person.posts = [p for p in person.posts if f"/{p}/" not in str(self.recent)]

    # --- choosing ---

    def somebody(self):
        """One of the people."""
        return self.rng.choice(self.people)

    def session(self):
        """Somebody who is signed in, and his cookie; signs somebody in if nobody is."""
        for tries in range(60):
            if tries and self.may_be_away:
                time.sleep(0.5)
            living = [p for p in self.people if p.sessions]
            if living:
                person = self.rng.choice(living)
                return person, self.rng.choice(sorted(person.sessions))
            self.sign_up()
        raise AssertionError("nobody can sign up")

    def run(self, steps=None, until=None):
        """So many steps, or until somebody says so."""
        while len(self.people) < 3:
            if self.number and self.may_be_away:
                time.sleep(0.1)
            self.sign_up()
        doing = [(self.wild, 60), (self.post, 8), (self.delete, 4), (self.follow, 8), (self.sign_in, 2), (self.sign_out, 2),
                 (self.sign_up, 1), (self.revoke, 2), (self.change_password, 1), (self.make_list, 3), (self.administer, 1)]
        actions, weights = zip(*doing)
        done = 0
        while (steps is None or done < steps) and not (until and until()):
            self.rng.choices(actions, weights)[0]()
            done += 1
        return done
