"""What must not grow: the home page on a larger site and further back; pull with a thousand authors."""

import contextlib

from fill import Fill, key
from tools import Author, Server, load, median, socket_path

FOLLOWED = 8  # so that a site of ten users is one
SIZES = (10, 1_000, 100_000)
ROUNDS = 7  # of which the middle one counts
MANY = 1000


def _page_path(reader, number):
    """The address of that page of the home timeline, by the links of the pages before."""
    pages = reader.browser.pages("/home", number)
    for _ in range(number):
        page = next(pages)
    assert len(page.statuses) > 0, page.summary
    return page.path


def _site(stack, size):
    """A site of so many users, and the reader on it, whose home is there."""
    server = stack.enter_context(Server(mode="push"))
    reader = stack.enter_context(Author(server, "reader"))
    with Fill(socket_path(server)) as f:
        names = [f"author_{n}" for n in range(FOLLOWED)]
        authors = f.people(names)
        f.posts(authors, names, 120)
        f.follows(reader.uid, authors)
        f.people([f"user_{n}" for n in range(FOLLOWED + 1, size)])
    reader.browser.get("/home")
    return server, reader


def measure(table, options):
    """p50 of the home page on sites of more and more users, and of its 40th page. In turn: what else runs here slows all."""
    seconds = 2 if options.full else 1
    with contextlib.ExitStack() as stack:
        sites = [_site(stack, size) for size in SIZES]
        rounds = [[_p50(server, "/home", reader, seconds, 1) for server, reader in sites] for _ in range(ROUNDS)]
        server, reader = sites[-1]
        path = _page_path(reader, 40)
        ratios = []
        for _ in range(5 if options.full else 3):
            near, far = (_p50(server, p, reader, seconds) for p in ("/home", path))
            ratios.append((far / near, near, far))
    p50 = sorted(rounds, key=lambda r: r[-1] / r[0])[len(rounds) // 2]
    growth = p50[-1] / p50[0]
    ratio, near, far = min(ratios)
    table.add("home page p50 with 10 / 1,000 / 100,000 users", " / ".join(f"{v * 1000:.0f}" for v in p50) +
              f" us: {growth:.2f} times", "<= 1.2 times", growth <= 1.2)
    table.add("home page p50, page 1 / page 40", f"{near * 1000:.0f} / {far * 1000:.0f} us: {ratio:.2f} times",
              "<= 1.2 times", ratio <= 1.2)


def _p50(server, path, reader, seconds, rounds=5):
    """Best of some rounds, with one connection: the time of a page, not of a queue."""
    return min(load(server.url + path, seconds, 1, 1, reader.browser.cookie).p50 for _ in range(rounds))


def measure_pull(table, options):
    """A reader who follows 1000 authors: the time that the server's log gives for his first page, and for the next."""
    with Server(mode="pull") as server, Author(server, "reader") as reader, Fill(socket_path(server)) as f, \
            server.engine() as engine:
        names = [f"author_{n}" for n in range(MANY)]
        authors = f.people(names)
        f.posts(authors, names, 60)
        first, again = [], []
        f.follows(reader.uid, authors)
        for _ in range(15 if options.full else 7):
            engine("DEL", key("home", reader.uid))
            engine("HDEL", key("homestate", reader.uid), "epoch", "stamp", "build", "mark")  # versions never go back
            first.append(_ms(server, reader))
            again += [_ms(server, reader) for _ in range(3)]
    table.add("pull, 1000 authors, first page", f"{min(first):.1f} ms, median {median(first):.1f} ms", "<= 15 ms",
              min(first) <= 15)
    table.add("pull, 1000 authors, nothing new", f"{min(again):.1f} ms, median {median(again):.1f} ms", "<= 5 ms",
              min(again) <= 5)


def _ms(server, reader):
    page = reader.browser.get("/home")
    assert len(page.statuses) == 20, page.summary
    return float(server.access(page)["ms"])
