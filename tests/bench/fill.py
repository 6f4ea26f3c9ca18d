"""People, relations and posts written straight into the engine, in the layout of src/store/keys.h.

The quickest way to a site of a given size: a million homes take some seconds. What is written is complete enough for pages
and deliveries, and nothing more (nobody here has a password).
"""

import base64
import hashlib
import random
import socket
import time

BUCKETS = 1024
DAY_MS = 86400 * 1000
POST_EVERY_MS = 60 * 1000  # on the whole site; 60 days have room for 86,000 of them
FLUSH_BYTES = 1 << 20
WORDS = ("the a of and to in that it is was for on with as at by from this but not are have had they we you what all were "
         "when there can an your which their said if do will each about how up out them then she many some so these would "
         "other into has more her two like him see time could no make than first been its who now people my made over did "
         "down only way find use may water long little very after words called just where most know").split()


def bucket_of_name(folded):
    """As id_bucket_of_name in src/base/id.c."""
    h = 14695981039346656037
    for byte in folded.encode():
        h = (h ^ byte) * 1099511628211 % (1 << 64)
    return (h ^ h >> 32) % BUCKETS


def make_id(ms, bucket, sequence=0):
    """As in src/base/id.h."""
    return ms << 16 | bucket << 6 | sequence


def bucket_of(number):
    """The bucket of any id."""
    return number >> 6 & BUCKETS - 1


def key(word, number):
    """{bucket}:word:<id>"""
    return f"{{{bucket_of(number)}}}:{word}:{number}"


class Fill:
    """A connection that only writes: every reply must be one line that is no error."""

    def __init__(self, path, seed=1):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._parts, self._size, self._waiting = [], 0, 0
        self._random = random.Random(seed)
        self._ms = int(time.time() * 1000) - 60 * DAY_MS

    def close(self):
        """Writes what is left."""
        self.flush()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def add(self, *words):
        """One command."""
        parts = [f"*{len(words)}\r\n"]
        for word in words:
            if isinstance(word, str) and not word.isascii():
                raise ValueError("lengths are counted in ASCII")
            text = word if isinstance(word, str) else str(word)
            parts.append(f"${len(text)}\r\n{text}\r\n")
        command = "".join(parts)
        self._parts.append(command)
        self._size += len(command)
        self._waiting += 1
        if self._size > FLUSH_BYTES:
            self.flush()

    def flush(self):
        """Sends the commands and waits for their replies."""
        self._socket.sendall("".join(self._parts).encode())
        reply = b""
        while self._waiting:
            chunk = self._socket.recv(1 << 20)
            if not chunk:
                raise ConnectionError("the engine closed the connection")
            lines = (reply + chunk).split(b"\r\n")
            reply = lines.pop()
            self._waiting -= len(lines)
            wrong = [line for line in lines if line[:1] not in (b":", b"+")]
            if wrong:
                raise RuntimeError(wrong[0].decode())
        self._parts, self._size = [], 0

    def next_ms(self):
        """Every id is of a millisecond of its own, in the past."""
        self._ms += 1
        return self._ms

    def add_in_pieces(self, head, words, most=1000):
        """A command with many arguments, as several commands."""
        for at in range(0, len(words), most):
            self.add(*head, *words[at:at + most])

    # --- what a site is made of ---

    def homes(self, count):
        """Ids of readers of whom only the home exists: for deliveries."""
        ids = [make_id(self.next_ms(), n % BUCKETS) for n in range(count)]
        for uid in ids:
            self.add("RPUSH", key("home", uid), "0")
        self.flush()
        return ids

    def people(self, names):
        """Users as sign-up leaves them, but without a password; their ids."""
        ids = []
        for name in names:
            bucket = bucket_of_name(name)
            uid = make_id(self.next_ms(), bucket)
            ids.append(uid)
            self.add("SET", f"{{{bucket}}}:name:{name}", uid)
            self.add("HSET", key("user", uid), "name", name, "display", name.capitalize(), "bio", "", "role", "")
            self.add("ZADD", f"{{{bucket}}}:users", 0, uid)
            self.add("RPUSH", key("home", uid), "0")
            self.add("SET", key("newest", uid), 0)
            self.add("HSET", key("homestate", uid), "epoch", 1, "stamp", uid, "build", 0, "version", 1)
        self.flush()
        return ids

    def _secret(self):
        """One, and its hash."""
        secret = base64.urlsafe_b64encode(self._random.randbytes(32)).decode().rstrip("=")
        digest = hashlib.blake2b(secret.encode(), digest_size=32).digest()
        return secret, base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def session(self, uid):
        """Somebody is signed in; his cookie."""
        secret, hashed = self._secret()
        now = int(time.time() * 1000)
        self.add("HSET", f"{key('session', uid)}:{hashed}", "created", now, "seen", now, "agent", "", "address", "")
        self.add("ZADD", key("sessions", uid), now, hashed)
        return f"{uid}.{secret}"

    def token(self, uid):
        """An application may read in somebody's name; its token."""
        secret, hashed = self._secret()
        now = int(time.time() * 1000)
        self.add("HSET", f"{key('token', uid)}:{hashed}", "app", make_id(now, 0), "app_name", "bench", "app_website", "", "scopes", "1",
                 "created", now, "seen", now)
        self.add("ZADD", key("tokens", uid), now, hashed)
        return f"{uid}.{secret}"

    def followers(self, author, readers):
        """They follow the author, in this order."""
        base = self._ms * 1000
        pairs = [word for n, reader in enumerate(readers) for word in (base + n, reader)]
        self.add_in_pieces(("ZADD", key("followers", author)), pairs, 2000)
        self.flush()

    def follows(self, reader, authors):
        """Both sides. The reader's home is dropped: his next visit makes it from the truth."""
        self.followings(reader, authors)
        for n, author in enumerate(authors):
            self.add("ZADD", key("followers", author), self._ms * 1000 + n, reader)
        self.flush()

    def followings(self, reader, authors):
        """The reader's side alone."""
        pairs = [word for n, author in enumerate(authors) for word in (self._ms * 1000 + n, author)]
        self.add_in_pieces(("ZADD", key("following", reader)), pairs, 2000)
        self.add("HINCRBY", key("homestate", reader), "version", 1)
        self.add("DEL", key("home", reader))
        self.flush()

    def sentence(self, names):
        """Some 120 characters, now and then with a mention, a tag or an address."""
        r = self._random
        words = r.choices(WORDS, k=r.randint(12, 32))
        if r.random() < 0.25:
            words.insert(r.randrange(len(words)), "#" + r.choice(WORDS))
        if r.random() < 0.25 and names:
            words.insert(r.randrange(len(words)), "@" + r.choice(names))
        if r.random() < 0.1:
            words.append("https://example.org/" + "/".join(r.choices(WORDS, k=3)))
        return " ".join(words).capitalize()

    def posts(self, authors, names, rounds):
        """Each author writes so many posts, in turn; ids, oldest first."""
        of_name = dict(zip(names, authors))
        ids = []
        for _ in range(rounds):
            for author in authors:
                self._ms += POST_EVERY_MS
                number = make_id(self._ms, bucket_of(author))
                ids.append(number)
                text = self.sentence(names)
                fields = ["author", author, "text", text]
                mentioned = [w[1:] for w in text.split() if w.startswith("@")]
                if mentioned:
                    fields += ["mentions", " ".join(f"{m}:{of_name[m]}" for m in mentioned)]
                self.add("HSET", key("post", number), *fields)
                self.add("ZADD", key("posts", author), 0, number)
        for author, number in zip(authors, ids[-len(authors):]):
            self.add("SET", key("newest", author), number)
        for number in ids[-1000:]:
            self.add("LPUSH", "{0}:timeline", number)
        self.add("LTRIM", "{0}:timeline", 0, 999)
        self.flush()
        return ids

    def boosts(self, boosters, posts, of_name):
        """Each boosts a post, the last one the newest; `of_name` are name and id of who wrote these."""
        name, author = of_name
        for booster, post in zip(boosters, posts):
            self._ms += POST_EVERY_MS
            number = make_id(self._ms, bucket_of(booster))
            self.add("HSET", key("post", number), "author", booster, "text", "", "boost", post, "boost_author",
                     f"{author}:{name}")
            self.add("ZADD", key("posts", booster), 0, number)
            self.add("SET", key("newest", booster), number)
            self.add("ZADD", key("boosted", booster), 0, f"{post} {number}")
            self.add("ZADD", key("boosts", post), self._ms * 1000, booster)
        self.flush()
