"""Pages against the ceiling; memory, start and size of the program."""

import os
import re
import socket
import sys
import time

from fill import Fill
from tools import Bare, Browser, Client, RETWIS, Server, load, memory, socket_path

import retwis_process

AUTHORS = 50
NAMES = [f"author_{n}" for n in range(AUTHORS)]


class Site:
    """A server with posts of some authors whom one reader follows."""

    def __init__(self, mode, boosts=0, env=None):
        self.server = Server(mode=mode, env=env)
        browser = Browser(self.server).sign_up("reader")
        self.cookie = browser.cookie
        with Fill(socket_path(self.server)) as f:
            authors = f.people(NAMES)
            f.posts(authors, NAMES, 20)
            if boosts:
                [stranger] = f.people(["stranger"])
                f.boosts(authors[:boosts], f.posts([stranger], ["stranger"], boosts), ("stranger", stranger))
            f.follows(int(self.cookie.split(".")[0]), authors)
        page = browser.get("/home")
        assert len(page.statuses) == 20, page.summary

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()


def _compare(site, bare, path, cookie, options):
    """The best of some rounds, each of them ceiling and page in turn."""
    with Client(site.server, cookie) as client:
        size = client.size(path)
    ceilings, pages = [], []
    for _ in range(options.rounds):
        ceilings.append(load(bare.url(size), options.seconds))
        pages.append(load(site.server.url + path, options.seconds, cookie=cookie))
        if pages[-1].bad:
            _explain(site.server)
    ceiling = max(ceilings, key=lambda l: l.rate)
    page = max(pages, key=lambda l: l.rate)
    ratio = max(p.rate / c.rate for p, c in zip(pages, ceilings))
    return size, ceiling, page, ratio


def _explain(server):
    """What the server has to say about answers that are none."""
    lines = server.log_lines()
    words = [line for line in lines if " access: " not in line]
    refused = [line for line in lines if re.search(r'status="[45]', line)]
    print("\n".join(words[:5] + refused[:2] + refused[-1:]), file=sys.stderr)


def measure(table, options):
    """Requests/s of pages and their ratio to the ceiling, in all modes."""
    with Bare() as bare:
        for mode in ("push", "pull", "hybrid"):
            with Site(mode) as site:
                plain = mode == "push" or options.full
                pages = [("landing", "/", None), ("public timeline", "/public", None)] if plain else []
                for name, path, cookie in pages + [("home", "/home", site.cookie)]:
                    size, ceiling, page, ratio = _compare(site, bare, path, cookie, options)
                    target = ("0.12", ratio >= 0.12) if name == "home" else ("", None)
                    table.add(f"{name}, {mode}", f"{page.rate:,.0f}/s, p50 {page.p50:.1f} ms, p99 {page.p99:.1f} ms; "
                              f"ceiling ({size:,} bytes) {ceiling.rate:,.0f}/s; ratio {ratio:.3f}", *target)
                if mode == "push":
                    table.add("memory after that load (server + engine)",
                              f"{memory(site.server.process.pid):.1f} + {memory(site.server.engine_pid()):.1f} MB")


def measure_boosts(table, options):
    """Homes of which half are boosts against such as have none, in turn; round trips when all is remembered."""
    for mode in ("push", "pull", "hybrid"):
        with Site(mode) as plain, Site(mode, boosts=10) as site:
            sizes = []
            for each in (plain, site):
                with Client(each.server, each.cookie) as client:
                    sizes.append(client.size("/home"))
            ratios = []
            for _ in range(max(options.rounds, 5)):
                rates = [load(each.server.url + "/home", options.seconds, cookie=each.cookie).rate for each in (plain, site)]
                ratios.append(rates[0] / rates[1])
            middle = sorted(ratios)[len(ratios) // 2]
            table.add(f"home with 10 boosts against one without, {mode}",
                      f"{middle:.2f} times as long ({sizes[1]:,} and {sizes[0]:,} bytes)", "<= 1.15", middle <= 1.15)


def measure_start(table, options):
    """Time from start to the first page, memory when idle, size of the program."""
    times = []
    for _ in range(3 if options.full else 2):
        port = retwis_process.free_port()
        server = Server(start=False, limits=True, env={"RETWIS_HTTP_LISTEN": f"127.0.0.1:{port}"})
        try:
            begin = time.perf_counter()
            with open(server.log_path, "wb") as log:
                server.process = retwis_process.spawn(server.command + ["serve"], env=server.env, stdout=log, stderr=log)
            while not _first_page(port):
                assert server.process.poll() is None and time.perf_counter() < begin + 20, server.log()
                time.sleep(0.001)
            times.append(time.perf_counter() - begin)
            time.sleep(2)
            pids = (server.process.pid, server.engine_pid())
            pss = [memory(p) for p in pids]
            rss = [memory(p, "Rss") for p in pids]
        finally:
            server.close()
    table.add("start to first page, empty data", f"{min(times):.3f} s", "< 0.5 s", min(times) < 0.5)
    table.add("idle memory, default settings (server + engine)",
              f"{pss[0]:.1f} + {pss[1]:.1f} = {sum(pss):.1f} MB (RSS {rss[0]:.1f} + {rss[1]:.1f})", "< 60 MB", sum(rss) < 60)
    table.add("size of the program, stripped", f"{os.path.getsize(RETWIS) / 1048576:.1f} MiB", "<= 14 MiB",
              os.path.getsize(RETWIS) <= 14 * 1048576)


def _first_page(port):
    """Whether GET / is answered with a page."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as s:
            s.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return s.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False
