"""Deliveries: how many a second, how soon everywhere, and what the author waits for."""

import time

from fill import Fill, key
from tools import Author, Background, Client, Server, benchmark, median, percentile, settle, socket_path

import retwis_process

LARGE = 100_000
HUGE = 1_000_000
CEILING = ("-c", "50", "-P", "200", "-n", "1000000", "-d", "18")


class Audience:
    """A server with an author and his followers, whose homes exist."""

    def __init__(self, count, **options):
        self.server = Server(mode="push", **options)
        self.path = socket_path(self.server)
        self.author = Author(self.server, "star")
        self.engine = self.server.engine()
        with Fill(self.path) as f:
            self.readers = f.homes(count)
            f.followers(self.author.uid, self.readers)
        settle(self.engine)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.author.close()
        self.engine.close()
        self.server.close()

    def is_over(self):
        """No job of the author is left."""
        bucket = self.author.uid >> 6 & 1023
        return self.engine("ZCARD", f"{{{bucket}}}:jobs") == 0

    def newest(self):
        """The author's last post."""
        return self.engine("ZRANGE", key("posts", self.author.uid), -1, -1)[0]

    def add_people(self, count):
        """Followers who are signed in and read; each has a connection, and his home is remembered by the process."""
        with Fill(self.path) as f:
            people = f.people([f"reader_{n}" for n in range(count)])
            f.followers(self.author.uid, people)
            for uid in people:
                f.followings(uid, [self.author.uid])
            clients = [Client(self.server, f.session(uid)) for uid in people]
        for client in clients:
            client.request("GET", "/home")
        return clients

    def post(self, text):
        """Writes a post and waits for all homes; s until then, ms of the acknowledgement."""
        begin = time.perf_counter()
        ack = self.author.post(text)
        while not self.is_over():
            time.sleep(0.001)
            assert time.perf_counter() < begin + 60, "the deliveries do not end: " + self.server.log()[-1000:]
        return time.perf_counter() - begin, ack

    def missing(self, post):
        """Homes whose first entry the post is not; none is expected."""
        count = 0
        with self.server.engine() as engine:
            for at in range(0, len(self.readers), 500):
                script = "local n = 0 for _, k in ipairs(KEYS) do if redis.call('LINDEX', k, 0) ~= ARGV[1] then n = n + 1 end end return n"
                part = [key("home", r) for r in self.readers[at:at + 500]]
                count += engine("EVAL", script, len(part), *part, post)
        return count


def measure(table, options):
    """100,000 followers: rate against the engine's own benchmark program, and time."""
    with Audience(LARGE) as a:
        times, ceilings = [], []
        a.post("warming up")
        for n in range(5 if options.full else 3):
            ceilings += [benchmark(a.path, *CEILING, "-t", "lpush") for _ in range(2)]
            a.engine("DEL", "mylist")
            settle(a.engine)
            times += [a.post(f"post {n} {i}")[0] for i in range(6)]
        missing = a.missing(a.newest())
        spread = benchmark(a.path, *CEILING, "-r", str(LARGE), "LPUSH", "{1}:list:__rand_int__", "1" * 18)
    best, ceiling = min(times), max(ceilings)
    ratio = LARGE / best / ceiling
    table.add("deliveries, 100,000 homes", f"{LARGE / best:,.0f}/s; LPUSH of redis-benchmark {ceiling:,.0f}/s, to "
              f"100,000 lists {spread:,.0f}/s; ratio {ratio:.2f}", ">= 0.7", ratio >= 0.7)
    table.add("post to 100,000 followers in every home", f"{best:.3f} s, median {median(times):.3f} s; missing {missing}",
              "< 0.4 s", best < 0.4 and missing == 0)


REMEMBERED = 1000


def measure_remembered(table, options):
    """The same beside people whose homes the process remembers: the engine tells it of each delivery to one of them."""
    with Audience(LARGE) as a:
        clients = a.add_people(REMEMBERED)
        times, plain, ceilings = [], [], []
        a.post("warming up")
        for n in range(5 if options.full else 3):
            ceilings += [benchmark(a.path, *CEILING, "-t", "lpush") for _ in range(2)]
            a.engine("DEL", "mylist")
            settle(a.engine)
            for i in range(6):
                for client in clients:
                    client.request("GET", "/home")
                    client.close()
                times.append(a.post(f"post {n} {i}")[0])
                plain.append(a.post(f"post {n} {i}, of which nobody has read the one before")[0])
    ratios = [(LARGE + REMEMBERED) / min(t) / max(ceilings) for t in (times, plain)]
    table.add(f"deliveries with {REMEMBERED:,} of {LARGE:,} homes remembered, against LPUSH of redis-benchmark",
              f"ratio {ratios[0]:.2f}; with none {ratios[1]:.2f}", ">= 0.72", ratios[0] >= 0.72)


def measure_huge(table, options):
    """1,000,000 followers."""
    with Audience(HUGE) as a:
        times = [a.post(f"post {n}")[0] for n in range(3 if options.full else 2)]
        missing = a.missing(a.newest())
    table.add("post to 1,000,000 followers in every home", f"{min(times):.2f} s; missing {missing}", "< 4 s",
              min(times) < 4 and missing == 0)


def measure_acknowledgement(table, options):
    """Posts of somebody with many followers and of somebody with none, in turn, while pages are read."""
    count = 300 if options.full else 100
    with Audience(LARGE) as a, Author(a.server, "lonely") as lonely, Author(a.server, "reader") as reader:
        with Fill(a.path) as f:
            f.follows(reader.uid, [a.author.uid])
        for n in range(20):
            a.author.post(f"text {n}")
        retwis_process.wait_until(a.is_over, 20, "the deliveries end")
        with Client(a.server, reader.browser.cookie) as client:
            client.request("GET", "/home")
        with Background(a.server.url + "/home", 120, 8, reader.browser.cookie):
            none, many = [], []
            for n in range(count):
                none.append(lonely.post(f"post {n}"))
                many.append(a.post(f"post {n}")[1])
    p99 = [percentile(v, 99) for v in (none, many)]
    table.add("acknowledgement p99 while pages are read: no followers, 100,000 followers",
              f"{p99[0]:.1f} ms, {p99[1]:.1f} ms: {p99[1] / p99[0]:.1f} times "
              f"(p50 {median(none):.1f} ms, {median(many):.1f} ms)", "<= 3 times", p99[1] <= 3 * p99[0])


def measure_memory(table, _):
    """What the engine needs for an id in a home, delivered one by one as posts come."""
    homes, entries = 500, 800
    with Server() as server, server.engine() as engine, Fill(socket_path(server)) as f:
        readers = f.homes(homes)
        before = int(engine.info("used_memory"))
        for _ in range(entries):
            post = f.next_ms() << 16 | 7 << 6
            for reader in readers:
                f.add("LPUSHX", key("home", reader), post)
        f.flush()
        used = (int(engine.info("used_memory")) - before) / (homes * entries)
    table.add("memory of the engine per home entry", f"{used:.1f} bytes", "<= 12 bytes", used <= 12)
