"""The way to the engine: round trips of many threads, and pages, with shared connections and without, in turn."""

import os
import statistics
import subprocess

from pages import Site
from tools import Bare, Client, REPOSITORY, RETWIS, build_program, load

WAYS = {"a connection for each call, 16": "0", "2 shared": "2"}
THREADS = 100


def _build():
    """Path of trips.c as a program."""
    directory = os.path.dirname(RETWIS)
    objects = [os.path.join(directory, "unit", f"{name}.o") for name in ("private_redis", "unix_server")]
    subprocess.run(["make", *(os.path.relpath(each, REPOSITORY) for each in objects)], check=True, cwd=REPOSITORY,
                   stdout=subprocess.DEVNULL)
    return build_program("trips", objects)


def _middle(rows):
    return [statistics.median(column) for column in zip(*rows)]


def measure_trips(table, options):
    """Trips/s, their times, and processor time of a trip: the middle of some rounds, the ways in turn."""
    program = _build()
    rows = {way: [] for way in WAYS}
    for _ in range(options.rounds + 4):
        for way, shared in WAYS.items():
            done = subprocess.run([program, shared, str(THREADS), "2"], capture_output=True, text=True, check=True)
            rows[way].append([float(word) for word in done.stdout.split()])
    for way in WAYS:
        rate, p50, p99, ours, kernel, engine = _middle(rows[way])
        table.add(f"round trips of {THREADS} threads, {way}", f"{rate:,.0f}/s, p50 {p50 / 1000:.1f} ms, p99 {p99 / 1000:.1f} ms; "
                  f"processor time of one: {ours:.0f} us ({kernel:.0f} in the kernel), engine {engine:.0f} us")


def measure_pages(table, options):
    """Pages by both ways, and the bare handler, in turn."""
    sites = {way: Site("push", env={"RETWIS_REDIS_SHARED_CONNECTIONS": shared}) for way, shared in WAYS.items()}
    with Bare() as bare:
        for path in ("/home", "/about"):
            _measure_page(table, options, sites, bare, path)
    for site in sites.values():
        site.server.close()


def _measure_page(table, options, sites, bare, path):
    with Client(*[(s.server, s.cookie) for s in sites.values()][0]) as client:
        size = client.size(path)
    ceilings, runs = [], {way: [] for way in sites}
    for _ in range(options.rounds + 4):
        ceilings.append(load(bare.url(size), 3))
        for way, site in sites.items():
            runs[way].append(load(site.server.url + path, 3, cookie=site.cookie))
    for way, found in runs.items():
        rate, p50, p99 = _middle([(l.rate / c.rate, l.p50 / c.p50, l.p99 / c.p99) for l, c in zip(found, ceilings)])
        table.add(f"{path}, {way}", f"{statistics.median(l.rate for l in found):,.0f}/s; against the bare handler: "
                  f"{rate:.3f} of the rate, p50 {p50:.1f} times, p99 {p99:.1f} times "
                  f"({statistics.median(l.p99 for l in found):.1f} ms)")
