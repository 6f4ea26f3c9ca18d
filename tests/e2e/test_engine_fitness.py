"""Engines that cannot keep what is given to them. External ones that would lose it are not used, and the messages say what to change; full ones say so before a post is refused, and still allow deletions."""

import json
import os
import signal

import pytest
import requests

from retwis_server import PASSWORD, Browser, EngineError, RedisServer, Server, limit, wait_until

STRANGER = {"X-Forwarded-For": "192.0.2.1"}  # who comes by a proxy of this machine


def health(server, **headers):
    """Status and words of /health."""
    with requests.Session() as session:
        session.trust_env = False
        answer = session.get(server.url + "/health", headers=headers, timeout=limit(10))
        return answer.status_code, answer.text


def wait_health(server, status, *words):
    """Until /health is so and says all that."""
    def as_wanted():
        found, text = health(server)
        return found == status and all(word in text for word in words)

    wait_until(as_wanted, 15, f"/health says {status} and {words}")


def test_engine_that_loses_data(tmp_path):
    """At start, mended at run time setting by setting; at run time; after a restart of the engine; and accepted."""
    policy, file = "set maxmemory-policy noeviction", "set appendonly yes"
    with RedisServer(appendonly="no", maxmemory_policy="allkeys-lru") as redis:
        with Server(tmp_path, engine=redis, start=False) as server:
            server.start(wait=False)
            wait_health(server, 503, "error: ", policy, file)
            assert requests.get(server.url + "/public", timeout=limit(10)).status_code == 503
            said = server.cli("user", "list", expect=None)
            assert said.returncode == 1 and policy in said.stderr and file in said.stderr
            with redis.engine() as engine:
                engine("CONFIG", "SET", "maxmemory-policy", "noeviction")
                wait_until(lambda: policy not in health(server)[1], 15, "one is mended")
                assert health(server)[0] == 503 and file in health(server)[1]
                engine("CONFIG", "SET", "appendonly", "yes")
                server.wait_healthy()
                alice = Browser(server).sign_up("alice")
                alice.post("kept")
                engine("CONFIG", "SET", "maxmemory-policy", "volatile-lru")  # while it runs
                wait_health(server, 503, policy)
                engine("CONFIG", "SET", "maxmemory-policy", "noeviction")
                server.wait_healthy()
            redis.stop()
            redis.options.update({"appendonly": "yes", "maxmemory-policy": "allkeys-random"})
            redis.start()
            wait_health(server, 503, policy)
            assert server.log().count(policy) <= 3, "each time once"
            server.stop()
            server.env["RETWIS_REDIS_ACCEPT_LOSS"] = "yes"
            server.start()
            assert health(server)[1].startswith("OK\nwarning: ") and policy in health(server)[1]
            assert health(server, **STRANGER) == (200, "OK"), "which is nobody else's business"
            assert alice.get("/home").texts == ["kept"]
            numbers = json.loads(server.cli("stats", "--json"))["numbers"]
            assert (numbers["engine_warnings"], numbers["engine_refused"]) == (1, 0)
            assert any(policy in line and " warning " in line for line in server.log_lines())


# --- full engines ------------------------------------------------------------------------------------------------------


def fill(engine, sizes=(1 << 20, 1 << 16, 1 << 13)):
    """Writes until something of the last size has no room; the keys that were written."""
    keys = []
    for size in sizes:
        while True:
            try:
                engine("SET", f"{{0}}:ballast:{len(keys)}", "x" * size)
                keys.append(f"{{0}}:ballast:{len(keys)}")
            except EngineError as e:
                assert str(e).startswith("OOM")
                break
    return keys


def job_types(engine):
    """Of the jobs that are not finished."""
    return {engine("HGET", key, "type") for key in engine.keys("*:job:*")} - {None}


def is_refused(browser):
    """Whether a post of 400 bytes has no room."""
    status = browser.action("/posts", follow=False, status="x" * 400, next="/home").status
    assert status in (303, 503)
    return status == 503


@pytest.fixture(scope="module")
def town():
    """A server with a small engine and its limits on, alice who has and follows something, and bob."""
    with Server(env={"RETWIS_REDIS_MEMORY_LIMIT": "24", "RETWIS_LIMITS_POST": "100000/1m"}, limits=True) as server:
        alice, bob = [Browser(server).sign_up(name) for name in ("alice", "bob")]
        yield server, alice, bob


def test_health_is_red_before_posts_are_refused(town):
    """However the memory comes and goes by a little: where a post has no room, /health does not say 200."""
    server, alice, _ = town
    alice.token()
    with server.engine() as engine:
        ballast, refusals = fill(engine), 0
        for i in range(60):
            if is_refused(alice):
                refusals += 1
                status, text = health(server)
                assert status == 503, f"{i}: {text}"
                assert "MiB" not in health(server, **STRANGER)[1]
                assert "memory limit is reached: " in text and " of 24.0 MiB" in text and "redis.memory_limit" in text
            if i % 10 == 0:
                engine("DEL", ballast.pop())
                ballast += fill(engine, (1 << 13, 1 << 9))
        assert refusals > 10
        engine("DEL", *engine.keys("{0}:ballast:*"))
    server.wait_healthy(10)
    assert not is_refused(alice)


def test_full_engine_lets_go(town):
    """Deleting, unfollowing, leaving lists, signing out, being deleted, and a new password: none of it needs more memory."""
    server, alice, bob = town
    posts = [alice.post(f"#full {i}") for i in range(3)]
    bob.follow("alice")
    bob.post("a reply to nobody")
    alice.follow("bob")
    assert alice.get("/home").texts[0] == "a reply to nobody"
    path = alice.make_list("Friends", "bob")
    stranger = Browser(server).sign_up("carol")
    stranger.follow("alice")
    stranger.post("of somebody who goes")
    copy, elsewhere = Browser(server), Browser(server).sign_in("alice")
    copy.session.cookies.set("retwis", alice.cookie)
    for post in posts:
        bob.get(f"/@alice/{post}")  # the server remembers them
    for browser in (alice, bob, elsewhere):
        browser.token()
    with server.engine() as engine:
        ballast = fill(engine)
        wait_until(lambda: is_refused(alice) and is_refused(alice), 10, "it is full")
        assert health(server)[0] == 503
        assert alice.delete(posts[1], follow=False).status == 303
        for page in ("/@alice", "/public", "/tags/full", "/home"):
            assert posts[1] not in bob.get(page).ids, page
        bob.get(f"/@alice/{posts[1]}", expect=404)
        bob.get(f"/@alice/{posts[2]}")
        alice.unfollow("bob")
        assert alice.on_list(path, "bob", "remove") == {"bob": True}
        assert alice.action(f"{path}/delete", follow=False).status == 303
        new = "another battery staple"
        for old, now in ((PASSWORD, new), (new, PASSWORD)):
            answer = bob.action("/settings/password", follow=False, current_password=old, password=now, password2=now)
            assert answer.status == 303
        server.cli("user", "delete", "carol", "--yes")
        assert "of somebody who goes" not in bob.get("/public").texts
        fill(engine, (1 << 12, 1 << 9))
        wait_until(lambda: is_refused(bob), 10, "it is full again")
        assert alice.action("/auth/sign_out", follow=False).status == 303
        assert not alice.is_signed_in() and not copy.is_signed_in() and elsewhere.is_signed_in()
        wait_until(lambda: job_types(engine) <= {b"fanout"}, 20, "what follows from it is done too")
        engine("DEL", *engine.keys("{0}:ballast:*"))
        assert ballast
        server.wait_healthy(10)
        wait_until(lambda: not job_types(engine), 20, "the deliveries that found no room are done now")
        assert not engine.keys("*:dead")
    assert not is_refused(bob)
    server.cli("check", "--homes")


def test_signing_out_while_the_engine_is_away(town):
    """The browser forgets the session at once, and its person is told that the server has not."""
    server, _, bob = town
    other = Browser(server).sign_in("bob")
    other.token()
    cookie = other.cookie
    pid = server.engine_pid()
    os.kill(pid, signal.SIGSTOP)
    try:
        page = other.action("/auth/sign_out", follow=False)
        assert page.status == 503 and "could not be ended" in page.text
        assert not other.cookie
    finally:
        os.kill(pid, signal.SIGCONT)
    server.wait_healthy(10)
    other.session.cookies.set("retwis", cookie)
    assert other.is_signed_in(), "that is why it is said"
    assert bob.is_signed_in()
