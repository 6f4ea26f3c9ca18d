"""What people do with posts: how long a favourite or a boost takes beside a post, a storm of favourites, a long thread, a home with everything,
and the engine's memory for all of it."""

import contextlib
import os
import re
import statistics
import threading
import time
import urllib.parse

from fill import Fill, key, make_id
from tools import Author, Client, Server, load, median, socket_path

SMALL, LARGE = 1, 100_000  # followers
STORM = 10_000
STORM_SECONDS = 10
STORM_CONNECTIONS = 16
THREAD = 4000
APART = 200


def _load():
    """What else runs: figures of a busy machine say little."""
    return f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} processors"


def _token(page):
    return re.search(r'name="?csrf_token"? value="?([\w-]+)', page)[1]


class Member:
    """A user who was put straight into the engine, signed in, with one connection."""

    def __init__(self, server, cookie):
        self.client = Client(server, cookie)
        page = self.client.request("GET", "/settings/profile")[2].decode()
        self.token = _token(page)

    def act(self, path, **fields):
        """ms until it was acknowledged."""
        form = urllib.parse.urlencode({"csrf_token": self.token, "next": "/about", **fields})
        status, head, _, ms = self.client.request("POST", path, form)
        assert status == 303, head
        return ms


def _members(server, fill, uids):
    cookies = [fill.session(uid) for uid in uids]
    fill.flush()
    return [Member(server, cookie) for cookie in cookies]


def _acknowledged(server, fill, followers, rounds):
    """p50 and p99 of a post, a favourite, a boost and a notice dismissed, by somebody with so many followers, in turn."""
    names = [f"author_{followers}", f"other_{followers}"]
    author, other = fill.people(names)
    for reader in fill.homes(followers):
        fill.add("ZADD", key("followers", author), fill.next_ms() * 1000, reader)
    fill.flush()
    me, him = _members(server, fill, (author, other))
    posts = []
    for n in range(rounds + 5):
        him.act("/posts", status=f"post {n} to favourite")
    with server.engine() as engine:
        posts = [p.decode() for p in engine("ZRANGE", key("posts", other), 0, -1)]
    times = {"post": [], "favourite": [], "boost": []}
    for n, post in enumerate(posts):
        took = {"post": me.act("/posts", status=f"text {n}"), "favourite": me.act(f"/posts/{post}/favourite"),
                "boost": me.act(f"/posts/{post}/boost")}
        if n >= 5:  # the first ones make connections and fill caches
            for what, ms in took.items():
                times[what].append(ms)
    return {what: (median(v), statistics.quantiles(v, n=20)[-1]) for what, v in times.items()}


def measure_acknowledged(table, options):
    """A favourite and a boost against a post. The notice is written in the step that the favourite waits for."""
    with Server() as server, Fill(socket_path(server)) as fill:
        for followers in (SMALL, LARGE):
            t = _acknowledged(server, fill, followers, 200 if options.full else 60)
            for what in ("favourite", "boost"):
                ratio = t[what][0] / t["post"][0]
                table.add(f"{what} acknowledged, {followers:,} followers, against a post",
                          f"p50 {t[what][0]:.2f} / {t['post'][0]:.2f} ms: {ratio:.2f} times (p95 {t[what][1]:.1f} / {t['post'][1]:.1f} ms; "
                          f"{_load()})", "<= 1.2 times", ratio <= 1.2)


def measure_storm(table, _):
    """10,000 favourites of one post by as many people; meanwhile its author reads his page, and does so before."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server())
        fill = stack.enter_context(Fill(socket_path(server)))
        author = stack.enter_context(Author(server, "author"))
        author.post("the post")
        post = author.browser.get("/@author").ids[0]
        uids = fill.people([f"fan_{n}" for n in range(STORM)])
        fans = [(fill.session(uid), uid) for uid in uids]
        fill.flush()
        before = _page_times(server, author.browser.cookie, lambda: False, 200)
        tokens = [{} for _ in range(STORM_CONNECTIONS)]
        shares = [fans[i::STORM_CONNECTIONS] for i in range(STORM_CONNECTIONS)]
        _together(lambda i: tokens[i].update(_tokens(server, shares[i])))
        wrong = []
        begin = time.monotonic()
        threads = [threading.Thread(target=_favourite, args=(server, shares[i], post, tokens[i], wrong))
                   for i in range(STORM_CONNECTIONS)]
        for t in threads:
            t.start()
        during = _page_times(server, author.browser.cookie, lambda: any(t.is_alive() for t in threads))
        for t in threads:
            t.join()
        seconds = time.monotonic() - begin
        assert not wrong, wrong[:3]
        with server.engine() as engine:
            count = engine("ZCARD", key("favourites", int(post)))
            own = sum(engine("ZCARD", key("favourited", uid)) == 1 for uid in uids)
            notices = engine("ZCARD", key("notices", author.uid))
        shown = author.browser.get("/notifications").all(".notice")
        text = shown[0].one(".notice-what").text
        right = count == own == STORM and notices == 1 and len(shown) == 1 and str(STORM - 1) in re.sub(r"[,.\u202f]", "", text)
        table.add(f"{STORM:,} favourites of one post by as many people", f"{seconds:.1f} s ({STORM / seconds:,.0f}/s; {_load()})",
                  f"<= {STORM_SECONDS} s", seconds <= STORM_SECONDS)
        table.add("counts after it: of the post, of the people, of notices", f"{count:,}, {own:,}, {notices}; \"{text.strip()}\"",
                  "all right", right)
        table.add("the author's home meanwhile, p50", f"{median(during):.2f} ms against {median(before):.2f} ms before", "named", True)


def _together(work):
    threads = [threading.Thread(target=work, args=(i,)) for i in range(STORM_CONNECTIONS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def _tokens(server, fans):
    """The token of each one's forms, before the clock runs."""
    out = {}
    for cookie, _ in fans:
        with Client(server, cookie) as client:
            page = client.request("GET", "/about")[2].decode()
            out[cookie] = _token(page)
    return out


def _favourite(server, fans, post, tokens, wrong):
    try:
        for cookie, _ in fans:
            with Client(server, cookie) as client:
                form = urllib.parse.urlencode({"csrf_token": tokens[cookie], "next": "/about"})
                status, head, _, _ = client.request("POST", f"/posts/{post}/favourite", form)
                if status != 303:
                    wrong.append(head)
                    return
    except Exception as e:  # pylint: disable=broad-except - told by the main thread
        wrong.append(e)


def _page_times(server, cookie, goes_on, least=0):
    out = []
    with Client(server, cookie) as client:
        while len(out) < least or goes_on():
            out.append(client.request("GET", "/home")[3])
    return out


def measure_thread(table, options):
    """The first page of a conversation of 4,000 answers, cold and warm, as a client sees it: more than the server's own time."""
    with Server() as server, Fill(socket_path(server)) as fill:
        uids = fill.people([f"talker_{n}" for n in range(50)])
        root, parents = 0, []
        for n in range(THREAD + 1):
            uid = uids[n % len(uids)]
            post = make_id(fill.next_ms(), (uid >> 6) & 1023, 1)
            fields = ["author", uid, "text", f"answer {n} of a long conversation about this and that"]
            if root:
                parent = parents[n // 8] if n % 3 else root  # some at the top, most in branches
                owner = uids[parents.index(parent) % len(uids)] if n < 600 else uids[0]
                fields += ["reply_to", parent, "thread", root, "reply_author", f"{owner}:talker"]
                fill.add("ZADD", key("thread", root), 0, f"{post} {parent} {uid}")
                fill.add("ZADD", key("replies", parent), 0, post)
            else:
                root = post
            parents.append(post)
            fill.add("HSET", key("post", post), *fields)
            fill.add("ZADD", key("posts", uid), 0, post)
        fill.flush()
        path = f"/@talker_0/{root}"
        with Client(server, fill.session(uids[0])) as client:
            fill.flush()
            cold = client.request("GET", path)
            assert cold[0] == 200
            warm = [client.request("GET", path)[3] for _ in range(200 if options.full else 60)]
        best = median(warm)
        table.add(f"thread of {THREAD:,} answers, first page",
                  f"cold {cold[3]:.1f} ms, then p50 {best:.1f} ms, {len(cold[2]):,} bytes ({_load()})", "<= 30 ms", max(best, cold[3]) <= 30)


def _home_site(stack, everything):
    """A reader of eight authors; with everything he blocks 100, mutes 100, filters ten words, and a third of his home are boosts."""
    server = stack.enter_context(Server())
    fill = stack.enter_context(Fill(socket_path(server)))
    names = [f"author_{n}" for n in range(8)]
    authors = fill.people(names)
    reader = fill.people(["reader"])[0]
    fill.posts(authors, names, 60)
    fill.follows(reader, authors)
    if everything:
        others = fill.people([f"apart_{n}" for n in range(APART)])
        for n, uid in enumerate(others):
            fill.add("HSET", key("apart", reader), uid, "m" if n % 2 else "b")
            fill.add("HSET", key("apart", uid), reader, "B")
        for n in range(10):
            fill.add("HSET", key("filters", reader), n + 1, f"hw:0:word{n} and another")
        fill.add("HSET", key("homestate", reader), "apart", 1, "filters", 1)
    cookie = fill.session(reader)
    fill.flush()
    if everything:
        member = _members(server, fill, authors[:3])
        with server.engine() as engine:
            posts = [p.decode() for uid in authors[3:] for p in engine("ZRANGE", key("posts", uid), -2, -1)]
        for n, post in enumerate(posts[:7]):
            member[n % 3].act(f"/posts/{post}/boost")
    load(server.url + "/home", 1, 1, 1, cookie)
    return server, cookie


def measure_everything(table, options):
    """A home with blocks, mutes, filters and boosts against one without, in turn."""
    with contextlib.ExitStack() as stack:
        plain, full = _home_site(stack, False), _home_site(stack, True)
        ratios = []
        for _ in range(max(options.rounds, 5)):
            rates = [load(server.url + "/home", 2, 16, 2, cookie).rate for server, cookie in (plain, full)]
            ratios.append(rates[0] / rates[1])
        middle = sorted(ratios)[len(ratios) // 2]
        table.add("home with 200 blocks and mutes, 10 filters, 7 boosts against one without", f"{middle:.2f} times as long ({_load()})",
                  "<= 1.15", middle <= 1.15)


def _used(users, posts):
    """Bytes that a site of so many invented people and posts takes, after its jobs."""
    with Server() as server, server.engine() as engine:
        before = int(engine.info("used_memory"))
        server.cli("demo", "fill", "--users", str(users), "--posts", str(posts), "--followers-max", "50")
        return int(engine.info("used_memory")) - before


def measure_memory(table, _):
    """The engine's memory for people, and for posts with all that belongs to them, on sites that `demo fill` makes."""
    users, posts = 4000, 10_000
    few, people, full = _used(100, 0), _used(users, 0), _used(users, posts)
    table.add("engine memory of a user: record, relations, search by his names", f"{(people - few) / (users - 100):,.0f} bytes", "named", True)
    table.add("engine memory of a post: record, tags, conversation, words of search, reactions, notices",
              f"{(full - people) / posts:,.0f} bytes", "named", True)
