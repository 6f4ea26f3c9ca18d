"""What a page costs: microseconds of processors for each request, of the server and of its engine, beside those of the bare
handler that sends as many bytes. Throughput of a machine that does other things changes by a factor of three from one minute
to the next; these figures hardly do. What is compared takes turns, and medians count."""

import random
import re
import tempfile
import threading
import time
import urllib.parse
from dataclasses import dataclass

from fill import Fill
from pages import Site
from tools import Author, Bare, Client, Server, cpu_us, load, median, memory, socket_path

ROUNDS = 3
CONNECTIONS = 100


@dataclass
class Run:
    """One run of the load generator: requests/s, microseconds for each of them, p99 in ms."""

    rate: float
    server: float
    engine: float
    p99: float


def run_load(url, pids, seconds, **how):
    """One run, with what it cost these processes."""
    before = [cpu_us(pid) for pid in pids]
    done = load(url, seconds, CONNECTIONS, **how)
    spent = [(cpu_us(pid) - was) / done.requests for pid, was in zip(pids, before)] + [0.0]
    return Run(done.rate, spent[0], spent[1], done.p99)


@dataclass
class Comparison:
    """Medians of some rounds, in which page and bare handler took turns."""

    bare: list
    page: list

    def middle(self, of):
        """Of a figure of the page."""
        return median([of(p) for p in self.page])

    def ratio(self, of):
        """The page's figure for one of the bare handler."""
        return median([of(p) / of(b) for p, b in zip(self.page, self.bare)])

    def text(self, size):
        """All of it, for the table."""
        bare_us = median([b.server for b in self.bare])
        return (f"{self.middle(lambda r: r.server):.0f} + {self.middle(lambda r: r.engine):.0f} us; bare ({size:,} bytes) "
                f"{bare_us:.0f} us; **{self.ratio(cpu):.2f} times**; rate {self.ratio(rate):.2f} of the bare handler's "
                f"({self.middle(rate):,.0f}/s), p99 {self.ratio(p99):.1f} times ({self.middle(p99):.1f} ms)")


def cpu(run):
    """Server and engine."""
    return run.server + run.engine


def rate(run):
    """Requests/s."""
    return run.rate


def p99(run):
    """Milliseconds."""
    return run.p99


def compare_with_bare(server, bare, path, seconds, size, **how):
    """Some rounds of a path and of the bare handler with as many bytes, in turn."""
    pids = [server.process.pid, server.engine_pid()]
    out = Comparison([], [])
    for _ in range(ROUNDS):
        out.bare.append(run_load(bare.url(size), [bare.pid], seconds))
        out.page.append(run_load(server.url + path, pids, seconds, **how))
    return out


def round_seconds(options):
    """Of one round."""
    return 10 if options.full else 2


def add_comparison(table, name, compared, size, most=None, least=None):
    """A row. `most`: times the processor time of the bare handler; `least`: of its rate."""
    targets = [f"cpu <= {most}"] * bool(most) + [f"rate >= {least}"] * bool(least)
    good = (not most or compared.ratio(cpu) <= most) and (not least or compared.ratio(rate) >= least)
    table.add(name, compared.text(size), ", ".join(targets), good if targets else None)


def measure(table, options):
    """Pages for members and strangers, with nothing new; those that are compressed too against the plain bytes."""
    with Bare() as bare, Site("push") as site:
        with Client(site.server, site.cookie) as client:
            css = re.search(rb'href="?(/static/[^" >]*\.css)', client.request("GET", "/home")[2])[1].decode()
        rows = [("home, plain", "/home", site.cookie, None, 2.2, 0.6), ("home, zstd", "/home", site.cookie, "zstd", 2.8, None),
                ("home, gzip", "/home", site.cookie, "gzip", 4, None), ("about", "/about", None, None, None, 0.9),
                ("style sheet", css, None, None, None, 0.9), ("public timeline, stranger", "/public", None, None, None, 0.65),
                ("profile, stranger", "/@author_0", None, None, None, 0.65)]
        for name, path, cookie, accept, most, least in rows:
            with Client(site.server, cookie) as client:
                size = client.size(path)
            if accept:
                with Client(site.server, cookie, accept) as client:
                    name += f" ({client.size(path):,} bytes)"
            compared = compare_with_bare(site.server, bare, path, round_seconds(options), size, cookie=cookie, accept=accept)
            add_comparison(table, name, compared, size, most, least)


# --- the mixed load ---

READERS, FOLLOWED, WRITERS, OTHERS, POSTS_A_SECOND = 1000, 50, 20, 180, 50
CACHE_MB = 16 + 16 + 32  # what [cache] allows by default
HANDS = 4  # threads that post: a post waits for its answer

# Each connection asks as the next reader.
_SCRIPT = """
local words, requests, threads = {%s}, {}, 0
function setup(thread) thread:set("place", threads); threads = threads + 1 end
function init()
  for n, word in ipairs(words) do
    requests[n] = wrk.format("GET", nil, {["%s"] = word})
  end
  n = place * #words / 2
end
function request() n = n %% #requests + 1; return requests[n] end
"""


class Writers:
    """Post so many a second, in turn, until they are told to end."""

    def __init__(self, authors):
        self._ends, self._start = threading.Event(), 0.0
        self._threads = [threading.Thread(target=self._write, args=(authors[n::HANDS],)) for n in range(HANDS)]
        self._posts, self.rate = [], 0.0

    def _write(self, authors):
        count = 0
        while not self._ends.wait(max(0, self._start + count * HANDS / POSTS_A_SECOND - time.monotonic())):
            authors[count % len(authors)].post(f"news {count}")
            count += 1
        self._posts.append(count)

    def __enter__(self):
        self._start = time.monotonic()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        for thread in self._threads:
            thread.join()
        self.rate = sum(self._posts) / (time.monotonic() - self._start)


class Member:
    """Somebody of the site who reads and writes; his requests go over whichever connection is free."""

    def __init__(self, client, server, cookie):
        self._client, self.cookie, self._server = client, cookie, server
        with Client(server, cookie) as own:  # builds his home
            page = own.request("GET", "/home")[2].decode()
        self._form_token = re.search(r'name=csrf_token value="?([^" >]+)', page)[1]

    def post(self, text):
        """Waits until it is acknowledged."""
        self._client.post_as(self.cookie, self._form_token, text)


class Hand(Client):
    """A connection for several people."""

    def post_as(self, cookie, form_token, text):
        """A post of whom this session is."""
        self._cookie = cookie
        form = urllib.parse.urlencode({"csrf_token": form_token, "status": text, "next": "/home"})
        status, head, _, _ = self.request("POST", "/posts", form)
        assert status == 303, head


def _town(server, fill):
    """People who each follow some of the others, all of whom write."""
    names = [f"member_{n}" for n in range(READERS)]
    uids = fill.people(names)
    fill.posts(uids, names, 3)
    chance = random.Random(5)
    for n, uid in enumerate(uids):
        fill.follows(uid, chance.sample(uids[:n] + uids[n + 1:], FOLLOWED))
    cookies = [fill.session(uid) for uid in uids]
    tokens = [fill.token(uid) for uid in uids]
    fill.flush()
    hands = [Hand(server) for _ in range(HANDS)]
    return [Member(hands[n % HANDS], server, cookie) for n, cookie in enumerate(cookies)], tokens, hands


def _people(server, fill):
    """Ids of readers who follow all who write and some who do not; those who write."""
    writers = [Author(server, f"writer_{n}") for n in range(WRITERS)]
    names = [f"author_{n}" for n in range(OTHERS)]
    others = fill.people(names)
    fill.posts(others, names, 5)
    readers = fill.people([f"reader_{n}" for n in range(READERS)])
    for n, reader in enumerate(readers):
        start = n * 7 % OTHERS
        fill.follows(reader, [w.uid for w in writers] + (others + others)[start:start + FOLLOWED - WRITERS])
    return writers, readers


def _compare_mixed(name, table, options, sites, path, size, header, words):
    """A row: the path for each of those who show such a header, while others write."""
    server, bare, writers = sites
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_SCRIPT % (",".join(f'"{word}"' for word in words), header))
        script.flush()
        with Writers(writers) as written:
            compared = compare_with_bare(server, bare, path, round_seconds(options), size, script=script.name)
    add_comparison(table, f"{name}, mixed load ({written.rate:.0f} posts/s)", compared, size, least=0.4)


def measure_mixed(table, options):
    """Home of a thousand readers in turn, while those whom they follow write: the page, and what programs get."""
    api = "/api/v1/timelines/home?limit=20"
    with Bare() as bare, Server(mode="push") as server, Fill(socket_path(server)) as fill:
        writers, readers = _people(server, fill)
        cookies, tokens = [fill.session(r) for r in readers], [fill.token(r) for r in readers]
        fill.flush()
        for cookie in cookies:  # builds the homes
            with Client(server, cookie) as client:
                size = client.size("/home")
        with Client(server, token=tokens[0]) as client:
            api_size = client.size(api)
        sites = (server, bare, writers)
        _compare_mixed("home", table, options, sites, "/home", size, "Cookie", [f"retwis={c}" for c in cookies])
        _compare_mixed("API, home", table, options, sites, api, api_size, "Authorization", [f"Bearer {t}" for t in tokens])
        for writer in writers:
            writer.close()
        parts = [memory(server.process.pid), memory(server.engine_pid())]
        table.add("memory after that load (server + engine)", f"{parts[0]:.1f} + {parts[1]:.1f} MB", f"<= 30 MB + [cache] ({CACHE_MB} MB)",
                  sum(parts) <= 30 + CACHE_MB)


def measure_town(table, options):
    """The same among people who all read and write, and each follow some: fewer of the posts come into each home."""
    api = "/api/v1/timelines/home?limit=20"
    with Bare() as bare, Server(mode="push") as server, Fill(socket_path(server)) as fill:
        members, tokens, hands = _town(server, fill)
        with Client(server, members[0].cookie) as client:
            size = client.size("/home")
        with Client(server, token=tokens[0]) as client:
            api_size = client.size(api)
        sites = (server, bare, members)
        _compare_mixed("home, town", table, options, sites, "/home", size, "Cookie", [f"retwis={m.cookie}" for m in members])
        _compare_mixed("API, home, town", table, options, sites, api, api_size, "Authorization", [f"Bearer {t}" for t in tokens])
        for hand in hands:
            hand.close()
