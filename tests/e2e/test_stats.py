"""What the server counts about itself: GET /metrics in Prometheus' form, and `retwis stats` for people."""

import json
import re

import pytest

from retwis_server import Browser, RedisServer, Server, patience, wait_until


@pytest.fixture(scope="module", name="site")
def fixture_site():
    """A server that nobody else asks, with one post and four known answers."""
    with Server() as server:
        ann = Browser(server).sign_up("ann")
        ann.post("one")
        for _ in range(3):
            ann.get("/home")
        Browser(server).get("/@nobody_here", expect=404)
        Browser(server).get("/no/such/page", expect=404)
        wait_until(lambda: numbers(server).get("retwis_posts") == 1, 10, "the posts are counted: from then on all numbers are there")
        yield server


def numbers(server):
    """Every line of /metrics that is no comment: {name with labels: value}."""
    found = {}
    for line in server.metrics().splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP retwis_\w+ .+|TYPE retwis_\w+ (counter|gauge|histogram))", line), line
            continue
        name, value = re.fullmatch(r'(retwis_\w+(?:\{(?:\w+="[^"]*",?)+\})?) ([0-9.]+)', line).groups()
        assert name not in found, line
        found[name] = float(value)
    return found


def test_requests_by_route_and_status(site):
    """Patterns, not addresses, so that their number is bounded; each with a histogram that adds up."""
    found = numbers(site)
    assert found['retwis_request_seconds_count{route="/@:name",status="404"}'] == 1
    assert found['retwis_request_seconds_count{route="",status="404"}'] == 1
    assert found['retwis_request_seconds_count{route="/home",status="200"}'] >= 3
    assert not [name for name in found if "nobody_here" in name or "/no/such" in name]
    rows = [(name, value) for name, value in found.items() if name.startswith('retwis_request_seconds_bucket{route="/home",status="200"')]
    assert [value for _, value in rows] == sorted(value for _, value in rows) and 'le="+Inf"' in rows[-1][0]
    assert rows[-1][1] == found['retwis_request_seconds_count{route="/home",status="200"}']


def test_numbers_of_the_site(site):
    """Posts, round trips, cache, jobs, memory."""
    found = numbers(site)
    assert found["retwis_posts_total"] == 1 and found["retwis_engine_round_trips_total"] > 5
    assert found["retwis_engine_round_trip_seconds_count"] >= found["retwis_engine_round_trips_total"] - 1
    assert found["retwis_cache_hits_total"] > 0 and found["retwis_process_resident_memory_bytes"] > 1 << 20
    assert "retwis_home_rebuilds_total" in found and found["retwis_jobs_dead"] == 0


def test_numbers_for_alarms(site):
    """What an administrator is woken for: engine, memory, disk; and how large the site is."""
    found = numbers(site)
    assert found["retwis_posts"] == 1
    assert found["retwis_engine_up"] == 1 and found["retwis_engine_memory_bytes"] > 1 << 18
    assert found["retwis_disk_free_bytes"] > 1 << 20 and found["retwis_engine_memory_limit_bytes"] >= 0
    assert found["retwis_users"] == 1 and found["retwis_sessions"] == 1
    assert re.fullmatch(r'retwis_build_info\{version="\d+\.\d+\.\d+"\}', next(n for n in found if "build_info" in n))
    assert not [name for name in found if "certificate" in name], "there is none"


def test_the_engine_is_away():
    """The numbers that it would tell are left out, and the alarm's is 0; those of the process are there."""
    with RedisServer() as redis, Server(engine=redis) as server:
        redis.stop()
        found = numbers(server)
        assert found["retwis_engine_up"] == 0 and "retwis_engine_memory_bytes" not in found
        assert found["retwis_uptime_seconds"] >= 0


def test_stats_for_programs(site):
    """The same numbers as one JSON document."""
    document = json.loads(site.cli("stats", "--json"))
    found = numbers(site)
    assert set(document["numbers"]) == {n.removeprefix("retwis_") for n in found if "{" not in n and "_seconds_" not in n}
    assert document["numbers"]["posts_total"] == 1 and document["version"] in site.cli("version")
    rows = {(row.get("route"), row.get("status")): row for row in document["times"]}
    assert rows[("/home", 200)]["count"] >= 3 and rows[("/home", 200)]["mean_ms"] > 0
    assert rows[("(no route)", 404)]["count"] == 1 and rows[(None, None)]["of"] == "engine"


def test_stats_are_the_same_for_people(site):
    """Every number is there with its explanation; answers of no route too, with their status."""
    text = site.cli("stats")
    for name in numbers(site):
        if "{" not in name and "_seconds_" not in name:
            assert re.search(rf"^  {name.removeprefix('retwis_')} +[\d.]+  \S+", text, re.M), name
    assert re.search(r"^  /home 200 +\d+  mean +[\d.]+ ms  half < [\d.]+ ms  99% < [\d.]+ ms$", text, re.M)
    assert re.search(r"^  \(no route\) 404 +1 ", text, re.M)


def test_only_for_those_who_may():
    """Everybody else is told that there is nothing; `retwis stats` comes by another way."""
    with Server(env={"RETWIS_METRICS_ALLOW": "192.0.2.0/24, 2001:db8::/32"}) as server:
        Browser(server).get("/metrics", expect=404)
        assert "uptime_seconds" in server.cli("stats")
        server.stop()
        done = server.cli("stats", expect=None)
        assert done.returncode == 1 and "no server answers" in done.stderr
