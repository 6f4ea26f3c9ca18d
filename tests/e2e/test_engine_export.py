"""Moving a site from the embedded engine to Debian's redis-server, as README.md says."""

import os
import subprocess

import pytest

from retwis_server import PASSWORD, Browser, RedisServer, Server


@pytest.fixture(name="town")
def fixture_town():
    """A server with people, posts, a list, a deleted post, and a session."""
    with Server() as server:
        ann, bob = [Browser(server).sign_up(name) for name in ("ann", "bob")]
        server.cli("follow", "bob", "ann")
        for text in ("one #tag", "two \N{SNOWMAN} @bob", "three"):
            ann.post(text)
        yield server, bob


def pipe(redis, data):
    """What README.md says: the file through redis-cli."""
    done = subprocess.run(["redis-cli", "-s", redis.socket, "--pipe"], input=data, capture_output=True, check=False)
    assert done.returncode == 0 and b"errors: 0" in done.stdout, done.stdout + done.stderr


def test_move_to_redis(town, tmp_path):
    """Everything is there and consistent; the server that it was taken from goes on."""
    server, bob = town
    path = tmp_path / "retwis.resp"
    server.cli("engine-export", str(path))
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert server.cli("engine-export", str(path), expect=None).returncode == 1, "overwrites nothing"
    assert server.health() == 200 and "three" in bob.get("/home").texts
    with RedisServer() as redis:
        pipe(redis, path.read_bytes())
        with Server(engine=redis) as moved:
            moved_bob = Browser(moved)
            assert moved_bob.try_sign_in("bob", PASSWORD).path == "/home"
            assert moved_bob.get("/home").texts == bob.get("/home").texts
            assert moved_bob.get("/tags/tag").texts == ["one #tag"]
            assert "no errors" in moved.cli("check", "--homes")


def test_export_of_a_stopped_site(town):
    """To standard output, with the service stopped; afterwards the engine keeps its own form, and all is there."""
    server, bob = town
    texts = bob.get("/home").texts
    server.stop()
    data = server.cli_bytes("engine-export", "-")
    assert data.startswith(b"*2\r\n$6\r\nSELECT\r\n"), data[:40]
    assert b"#TS:" not in data and b"one #tag" in data
    server.start()
    assert bob.get("/home").texts == texts
    with server.engine() as engine:
        assert engine("CONFIG", "GET", "aof-use-rdb-preamble")[1] in (b"yes", "yes")


def test_external_engine_needs_none():
    """Whoever has an engine of his own is told so."""
    with Server(engine="redis") as server:
        done = server.cli("engine-export", "-", expect=None)
        assert done.returncode == 1 and "redis.url" in done.stderr and not done.stdout
