"""The data of an earlier version under this one: a state directory as version 0.1.0 leaves it when it is killed with work
under way. The commands are those that its engine logged, with ids of now."""

import os
import time

from retwis_readers import bucket_of_name, key
from retwis_server import PASSWORD, Browser, Server
from retwis_truth import check, wait_for_jobs

# Of PASSWORD, by 0.1.0.
HASH = ("$argon2id$v=19$m=19456,t=2,p=1$heZNMNE4K5AFzMr5bWhjIQ$"
        "GAuwgDsaqP08GwjhZaTgmI+dNFNXeJv9Bzqc8qOenrA")
MINUTE = 60_000
MANIFEST = "file appendonly.aof.1.incr.aof seq 1 type i\n"


def wire(*words):
    """A command as it is logged."""
    words = [str(w).encode() for w in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


class OldSite:
    """What 0.1.0 wrote, command by command."""

    def __init__(self):
        self.now = int(time.time() * 1000)
        self.commands = [("SELECT", 0), ("HSET", "{0}:site", "mode", "push"), ("HINCRBY", "{0}:site", "epoch", 1),
                         ("HSET", "{0}:site", "key", "9b" * 32)]
        self.numbers = 0

    def __call__(self, *words):
        self.commands.append(words)

    def new_id(self, bucket, minutes_ago):
        """Of that time."""
        self.numbers += 1
        return self.now - minutes_ago * MINUTE + self.numbers << 16 | bucket << 6

    def person(self, name):
        """Somebody whose home is there; the id."""
        bucket = bucket_of_name(name)
        uid = self.new_id(bucket, 60)
        self("SET", f"{{{bucket}}}:name:{name}", uid)
        self("HSET", key("user", uid), "name", name, "password", HASH, "display", "", "bio", "", "role", "")
        self("ZADD", f"{{{bucket}}}:users", 0, uid)
        self("RPUSH", key("home", uid), 0)
        self("PEXPIREAT", key("home", uid), self.now + 30 * 24 * 60 * MINUTE)
        self("HSET", key("homestate", uid), "epoch", 1, "stamp", uid, "build", 0, "version", 1)
        self("SET", key("newest", uid), 0)
        self("LPUSH", "{0}:latest", uid)
        return uid

    def follows(self, reader, author):
        """The reader's side."""
        self("ZADD", key("following", reader), (self.now - 30 * MINUTE) * 1000, author)

    def is_followed(self, author, reader):
        """The author's side."""
        self("ZADD", key("followers", author), (self.now - 30 * MINUTE) * 1000, reader)

    def post(self, author, minutes_ago, text):
        """Acknowledged, and in nobody's home but the author's."""
        post = self.new_id(author >> 6 & 1023, minutes_ago)
        self("HSET", key("post", post), "author", author, "text", text)
        self("ZADD", key("posts", author), 0, post)
        self("SET", key("newest", author), post)
        self("LPUSHX", key("home", author), post)
        return post

    def deliver(self, post, *readers):
        """To homes and indexes."""
        self("LPUSH", "{0}:timeline", post)
        bucket = bucket_of_name("old")
        self("ZADD", f"{{{bucket}}}:tag:old", 0, post)
        for reader in readers:
            self("LPUSHX", key("home", reader), post)

    def job(self, kind, uid, *fields):
        """Under way when all ended; its lease has run out."""
        bucket = uid >> 6 & 1023
        job = self.new_id(bucket, 1)
        self("ZADD", f"{{{bucket}}}:jobs", self.now - MINUTE, job)
        self("HSET", key("job", job), "type", kind, "uid", uid, *fields, "cursor", 0)

    def write(self, state):
        """The state directory, with the torn end that a power cut leaves, and a socket nobody listens to."""
        folder = os.path.join(state, "engine", "appendonlydir")
        os.makedirs(folder, mode=0o700)
        with open(os.path.join(folder, "appendonly.aof.manifest"), "w", encoding="ascii") as f:
            f.write(MANIFEST)
        with open(os.path.join(folder, "appendonly.aof.1.incr.aof"), "wb") as f:
            f.write(b"".join(wire(*c) for c in self.commands) + wire("SET", "torn", "torn")[:-9])
        with open(os.path.join(state, "engine.sock"), "wb"):
            pass


def fill(site):
    """Four people, one of each kind of work."""
    alice, bobby, carol, david = [site.person(name) for name in ("alice", "bobby", "carol", "david")]
    for reader in (bobby, david):
        site.follows(reader, alice)
        site.is_followed(alice, reader)
    site.deliver(site.post(alice, 20, "delivered #old"), bobby, david)
    taken_back = site.post(alice, 19, "taken back #old")
    site.deliver(taken_back, bobby, david)
    late = site.post(alice, 18, "not delivered yet #old")
    site.job("fanout", alice, "post", late, "delivers", 1)
    site("DEL", key("post", taken_back))
    site("ZREM", key("posts", alice), taken_back)
    site("LREM", key("home", alice), 0, taken_back)
    site.job("unpost", alice, "post", taken_back, "targets", "old", "reply_to", "")
    site.follows(carol, alice)
    site.job("follow", carol, "targets", alice)
    site("HSET", key("homestate", carol), "stamp", "a job's id", "build", 1, "version", 2)
    site("HDEL", key("user", david), "password", "bio", "display", "role")
    site("HSET", key("user", david), "deleted", 1)
    site.job("purge", david)
    site.job("signup", bobby)
    return alice, david, taken_back


def test_data_of_0_1_0():
    """Everything is there, what was under way is finished, and no cache shows anything else than the truth."""
    site = OldSite()
    alice, david, taken_back = fill(site)
    with Server(start=False) as server:
        site.write(server.state)
        server.start()
        assert "are cut off" in server.log()
        assert not os.path.exists(os.path.join(server.state, "engine.sock"))
        shown = ["not delivered yet #old", "delivered #old"]
        reader = Browser(server).sign_in("carol", PASSWORD)
        assert [s.text for s in reader.get("/home").statuses] == shown, "while the old work is still under way"
        wait_for_jobs(server)
        check(server, "--homes")
        for name in ("alice", "bobby", "carol"):
            assert [s.text for s in Browser(server).sign_in(name, PASSWORD).get("/home").statuses] == shown, name
        assert [s.text for s in reader.get("/public").statuses] == shown
        with server.engine() as engine:
            assert engine("EXISTS", "torn", key("following", david), key("home", david)) == 0
            assert engine("ZCARD", key("followers", alice)) == 2
            engine("DEL", "{0}:changes", *[f"{{{p}}}:events" for p in range(16)])  # which name what was deleted
            assert str(taken_back).encode() not in engine.dump()
        Browser(server).sign_in("alice", PASSWORD).post("by the new version")
        assert reader.get("/home").statuses[0].text == "by the new version"
        wait_for_jobs(server)
        check(server, "--homes")
        server.restart()
        check(server, "--homes")
