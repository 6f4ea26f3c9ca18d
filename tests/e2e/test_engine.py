"""The engine behind the site: the one inside, one of Debian's, one that goes away, is full, or wants a password."""

import os
import signal
import subprocess
import time

import pytest

import retwis_process
from retwis_server import STOP_SECONDS, Browser, EngineError, NotStarted, RedisServer, Server, limit, patience, wait_until
from retwis_tls import make_certificate


def wait_for_engine_to_die(pid):
    """The process is gone (or waits to be reaped)."""
    def gone():
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                return f.read().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:
            return True

    wait_until(gone, 10, f"process {pid} ends")


# --- start and stop ---

def test_data_outlive_restarts():
    """Users, sessions, posts and relations are there again; the session cookie still holds."""
    with Server() as server:
        alice, bob = [Browser(server).sign_up(n) for n in ("alice", "bob")]
        alice.follow("bob")
        ids = [bob.post(f"{i}") for i in range(3)][::-1]
        for _ in range(2):
            engine = server.engine_pid()
            server.restart()
            wait_for_engine_to_die(engine)
            assert alice.get("/home").ids == ids
            assert bob.get("/@bob/followers").names == ["alice"]
        assert Browser(server).sign_in("alice").get("/home").ids == ids


def test_stop_is_clean_and_quick():
    """SIGTERM: exit status 0, data on the disk, no engine left, nothing bad in the log."""
    with Server() as server:
        Browser(server).sign_up("alice")
        engine = server.engine_pid()
        begin = time.monotonic()
        server.stop()
        assert time.monotonic() - begin < patience(STOP_SECONDS)
        wait_for_engine_to_die(engine)
        assert " error " not in server.log()
        server.start()
        assert Browser(server).sign_in("alice").is_signed_in()


def test_sigint_is_like_sigterm():
    """Ctrl-C."""
    with Server() as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(limit(10)) == 0


def test_second_server_is_refused():
    """Two servers on one state directory: the second says why and touches nothing."""
    with Server() as first:
        alice = Browser(first).sign_up("alice")
        engine = first.engine_pid()
        with Server(directory=first.directory, start=False) as second:
            with pytest.raises(NotStarted) as refused:
                second.start()
            assert refused.value.status == 1
            assert "another retwis server" in refused.value.text and first.state in refused.value.text
        assert alice.is_signed_in() and first.engine_pid() == engine


def test_server_killed_leaves_no_engine():
    """kill -9: the engine ends soon, and the next start succeeds."""
    with Server() as server:
        Browser(server).sign_up("alice")
        engine = server.engine_pid()
        server.kill9()
        server.start()  # an engine that stayed would keep it out
        assert server.engine_pid() != engine
        wait_for_engine_to_die(engine)
        Browser(server).sign_in("alice")


def test_stopped_engine_does_not_outlive_the_next_start():
    """An engine that cannot even end (it is stopped) is got out of the way."""
    with Server() as server:
        Browser(server).sign_up("alice")
        engine = server.engine_pid()
        os.kill(engine, signal.SIGSTOP)
        try:
            server.kill9()
            server.start()
            Browser(server).sign_in("alice")
        finally:
            try:
                os.kill(engine, signal.SIGCONT)
            except ProcessLookupError:
                pass


def test_mode_can_change():
    """push, pull and back: what was posted meanwhile is on every home, whoever looked in between."""
    with Server(mode="push") as server:
        alice, bob, carol = [Browser(server).sign_up(n) for n in ("alice", "bob", "carol")]
        for reader in (alice, carol):
            reader.follow("bob")
        alice.get("/home")
        ids = [bob.post("in push mode")]
        for mode in ("pull", "push", "pull", "push"):
            server.restart(RETWIS_TIMELINE_MODE=mode)
            ids.insert(0, bob.post(f"in {mode} mode"))
            assert alice.get("/home").ids == ids
            ids.insert(0, bob.post(f"in {mode} mode again"))
            assert alice.get("/home").ids == ids
        assert carol.get("/home").ids == ids, "who looks for the first time sees all"


def test_fsync_for_each_write():
    """redis.durability = always reaches the engine."""
    with Server(env={"RETWIS_REDIS_DURABILITY": "always"}) as server, server.engine() as engine:
        assert engine("CONFIG", "GET", "appendfsync") == [b"appendfsync", b"always"]
        assert engine("CONFIG", "GET", "appendonly") == [b"appendonly", b"yes"]
        assert engine("CONFIG", "GET", "maxmemory-policy") == [b"maxmemory-policy", b"noeviction"]
        Browser(server).sign_up("alice").post("safe")


def test_state_is_private():
    """Nobody else on the machine reads the data or reaches the engine, nor enters the directory where they are."""
    with Server() as server:
        for directory, _, files in os.walk(server.state):
            assert os.stat(directory).st_mode & 0o077 == 0, directory
            for name in files:
                path = os.path.join(directory, name)
                assert os.stat(path).st_mode & 0o007 == 0, path
        assert os.stat(os.path.join(server.state, "engine", "sock")).st_mode & 0o077 == 0


def test_no_port_is_opened_by_the_engine():
    """It listens on its Unix socket only."""
    with Server() as server, server.engine() as engine:
        assert engine("CONFIG", "GET", "port") == [b"port", b"0"]


# --- an engine that goes away ---

def assert_away(server, browser):
    """Every page says so, with a time to come back; the health page is red; assets and errors still work."""
    assert server.health() == 503
    for path in ("/", "/home", "/public", f"/@{browser.name}", f"/@{browser.name}/following", "/tags/x", "/about",
                 "/auth/sign_in", "/settings/sessions"):
        page = browser.get(path, expect=503)
        assert int(page.headers["Retry-After"]) > 0, path
        assert page.one(".error-page")["data-code"] == "503"
        assert page.first(".retry") is not None
        assert page.first("form.sign-out") is None
    browser.get("/nothing/here", expect=404)
    assert "Content-Security-Policy" in browser.get("/home", expect=503).headers


def test_external_engine_goes_away_and_comes_back():
    """Clear 503 pages meanwhile, the text of a post is not lost, and recovery needs no restart."""
    with RedisServer() as redis, Server(engine=redis) as server:
        alice = Browser(server).sign_up("alice")
        kept = alice.post("before")
        form = alice.get("/home").form("#compose")
        redis.stop()
        wait_until(lambda: server.health() == 503, 10, "the health page is red")
        assert_away(server, alice)
        page = alice.submit(form, status="written in the dark")
        assert page.status == 503 and int(page.headers["Retry-After"]) > 0
        assert page.form("#compose").values["status"] == "written in the dark"
        assert page.errors
        redis.start()
        server.wait_healthy(10)
        assert alice.submit(page.form("#compose"), status="written in the dark").status == 200
        assert alice.get("/home").texts == ["written in the dark", "before"]
        assert kept in Browser(server).get("/public").ids
        assert server.process.poll() is None


def test_embedded_engine_goes_away_and_comes_back():
    """The server starts it again by itself; pages recover."""
    with Server() as server:
        alice = Browser(server).sign_up("alice")
        alice.post("before")
        for _ in range(2):
            os.kill(server.engine_pid(), signal.SIGKILL)
            wait_until(lambda: alice.get("/home", expect=None).status == 200, 10, "the home page is back")
            assert alice.get("/home").texts == ["before"]


def test_engine_that_hangs():
    """SIGSTOP: requests end with 503 in a bounded time, others are answered, and all is well after SIGCONT."""
    with RedisServer() as redis, Server(engine=redis, env={"RETWIS_REDIS_COMMAND_TIMEOUT": "2000"}) as server:
        alice = Browser(server).sign_up("alice")
        css = alice.get("/").one("link[rel=stylesheet]")["href"]
        with redis.engine() as engine:
            pid = int(engine.info("process_id"))
        os.kill(pid, signal.SIGSTOP)
        try:
            assert alice.get("/home", expect=None).status == 503  # while it lasts
            alice.get(css)
        finally:
            os.kill(pid, signal.SIGCONT)
        server.wait_healthy(10)
        assert alice.get("/home").status == 200


def test_server_starts_before_its_engine():
    """With an external engine that is not there yet: the site says 503 until it is, or does not start with clear words."""
    with RedisServer() as redis:
        redis.stop()
        with Server(engine=redis, start=False) as server:
            try:
                server.start(wait=False)
            except NotStarted as e:
                assert redis.socket in e.text
                return
            assert server.health() == 503
            redis.start()
            server.wait_healthy(10)
            Browser(server).sign_up("alice").post("early bird")


# --- an engine of Debian's ---

@pytest.mark.parametrize("mode", ["push", "pull"])
def test_debian_redis_serves_the_site(mode):
    """By Unix socket: the whole way of a post, with the data where they belong."""
    with Server(engine="redis", mode=mode) as server:
        alice, bob = [Browser(server).sign_up(n) for n in ("alice", "bob")]
        alice.follow("bob")
        ids = [bob.post(f"#t {i} @alice") for i in range(30)][::-1]
        assert alice.timeline_ids("/home") == ids == alice.timeline_ids("/tags/t")
        bob.delete(ids.pop(3))
        assert alice.timeline_ids("/home") == ids
        assert not os.path.exists(os.path.join(server.state, "engine"))
        with server.engine() as engine:
            assert engine.keys("*:home:*")


def test_by_port_with_password_file(tmp_path):
    """redis://, the password from a file; it appears neither in the log nor among the arguments."""
    password = "a/long:pass@word#%41"
    secret = tmp_path / "secret"
    secret.write_text(password + "\n")
    secret.chmod(0o600)
    with RedisServer(password=password) as redis:
        env = {"RETWIS_REDIS_URL": f"redis://127.0.0.1:{redis.port}/3", "RETWIS_REDIS_PASSWORD_FILE": str(secret)}
        with Server(engine=redis, env=env) as server:
            Browser(server).sign_up("alice").post("by port")
            with redis.engine() as engine:
                assert engine("DBSIZE") == 0
                engine("SELECT", 3)
                assert engine("DBSIZE") > 0
            with open(f"/proc/{server.process.pid}/cmdline", encoding="utf-8") as f:
                assert password not in f.read()
            assert password not in server.log()


def test_wrong_password(tmp_path):
    """Said clearly, without the password; nothing is served."""
    secret = tmp_path / "secret"
    secret.write_text("not the one")
    with RedisServer(password="right") as redis:
        env = {"RETWIS_REDIS_PASSWORD_FILE": str(secret)}
        with Server(engine=redis, env=env, start=False) as server:
            try:
                server.start(wait=False)
            except NotStarted as e:
                text = e.text
            else:
                assert server.health() == 503
                text = server.log()
            assert "password" in text.lower(), text
            assert "not the one" not in text


def test_two_sites_share_an_engine():
    """By redis.prefix: neither sees anything of the other."""
    with RedisServer() as redis:
        with Server(engine=redis, env={"RETWIS_REDIS_PREFIX": "one:"}) as one, \
                Server(engine=redis, env={"RETWIS_REDIS_PREFIX": "two:"}) as two:
            post = Browser(one).sign_up("alice").post("here")
            Browser(two).sign_up("alice")
            assert Browser(two).get("/public").ids == []
            Browser(two).get(f"/@alice/{post}", expect=404)
            with redis.engine() as engine:
                assert all(k.startswith(("one:{", "two:{")) for k in engine.keys())


def test_full_engine_lets_go():
    """At its memory limit what frees memory goes on, though it is counted: deleting, following no more."""
    with RedisServer() as redis, Server(engine=redis, limits=True) as server:
        alice, bob = (Browser(server).sign_up(n) for n in ("alice", "bob"))
        alice.follow("bob")
        posts = [alice.post("one"), alice.post("two")]
        with redis.engine() as engine:
            engine("CONFIG", "SET", "maxmemory", 1)
            assert alice.delete(posts[0]).path == "/home"
            alice.unfollow("bob")
            assert bob.get("/@bob/followers").names == []
            engine("CONFIG", "SET", "maxmemory", 0)
        server.wait_healthy(10)
        assert alice.get("/home").ids == posts[1:]


def test_engine_is_full():
    """At its memory limit writes are refused with the text kept, reads go on, and all works again with more room."""
    with RedisServer() as redis, Server(engine=redis, env={"RETWIS_POSTS_CACHE": "0"}) as server:
        alice = Browser(server).sign_up("alice")
        ids = [alice.post(f"{i}") for i in range(5)][::-1]
        with redis.engine() as engine:
            engine("CONFIG", "SET", "maxmemory", 1)
            page = alice.try_post("one too many")
            assert page.status == 503 and int(page.headers["Retry-After"]) > 0
            assert page.form("#compose").values["status"] == "one too many" and page.errors
            assert server.health() == 503
            for path in ("/home", "/@alice", "/public", f"/@alice/{ids[0]}"):
                assert set(ids) >= set(alice.get(path).ids) != set(), path
            refused = Browser(server).try_sign_up("bob")
            assert refused.status == 503 and refused.form("form.sign-up").values["username"] == "bob"
            engine("CONFIG", "SET", "maxmemory", 0)
        server.wait_healthy(10)
        assert alice.submit(page.form("#compose"), status="one too many").status == 200
        assert alice.get("/home").texts[0] == "one too many"


def fill_up(engine, keys=None):
    """Writes until not even a small value has room; the keys that were written, behind those of before."""
    keys = [] if keys is None else keys
    for size in (1 << 20, 1 << 14, 1 << 8, 1):
        while True:
            key = f"{{0}}:ballast:{len(keys)}"
            try:
                engine("SET", key, "x" * size)
                keys.append(key)
            except EngineError as e:
                assert "OOM" in str(e)
                break
    return keys


def post_until_refused(browser, text, engine, ballast):
    """At the limit some memory comes and goes, with every connection and with what the server does by itself: what has become
    free is filled up again."""
    for _ in range(50):
        page = browser.try_post(text)
        if page.status == 503:
            return page
        fill_up(engine, ballast)
    raise AssertionError("the engine is never full")


def test_embedded_engine_has_its_limit():
    """redis.memory_limit is the engine's, and the site says so when it is reached."""
    with Server(env={"RETWIS_REDIS_MEMORY_LIMIT": "16"}) as server:
        alice = Browser(server).sign_up("alice")
        with server.engine() as engine:
            assert engine("CONFIG", "GET", "maxmemory") == [b"maxmemory", str(16 << 20).encode()]
            ballast = fill_up(engine)
            page = post_until_refused(alice, "no room " + "x" * 400, engine, ballast)
            assert page.form("#compose").values["status"].startswith("no room")
            assert alice.get("/home").status == 200
            engine("DEL", *ballast)
        server.wait_healthy(10)
        assert alice.submit(page.form("#compose"), status="no room").status == 200
        server.restart(RETWIS_REDIS_MEMORY_LIMIT="auto")  # the default: half of what there is
        with server.engine() as engine, open("/proc/meminfo", encoding="ascii") as f:
            machine = int(f.readline().split()[1]) << 10
            assert 16 << 20 <= int(engine("CONFIG", "GET", "maxmemory")[1]) <= machine // 2 + (1 << 20)


@pytest.mark.parametrize("begin,end", [
    (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE")),
    (("CONFIG", "SET", "min-replicas-to-write", "1"), ("CONFIG", "SET", "min-replicas-to-write", "0")),
])
def test_engine_that_refuses_writes(begin, end):
    """A replica after a failover (READONLY), a primary without its replicas (NOREPLICAS): reads go on, writes say 503."""
    with RedisServer() as redis, Server(engine=redis) as server:
        alice = Browser(server).sign_up("alice")
        post = alice.post("written before")
        with redis.engine() as engine:
            engine(*begin)
            wait_until(lambda: server.health() == 503, 5, "the health page is red")
            assert alice.get("/home").ids == [post]
            page = alice.try_post("not now")
            assert page.status == 503 and page.form("#compose").values["status"] == "not now"
            assert page.errors
            engine(*end)
        server.wait_healthy(10)
        assert alice.submit(page.form("#compose"), status="not now").status == 200


def test_engine_forgets_scripts_and_connections():
    """SCRIPT FLUSH and killed connections: nobody notices."""
    with RedisServer() as redis, Server(engine=redis) as server:
        alice = Browser(server).sign_up("alice")
        with redis.engine() as engine:
            for i in range(5):
                engine("SCRIPT", "FLUSH")
                alice.post(f"after a flush {i}")
                engine("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
                assert alice.get("/home").texts[0] == f"after a flush {i}"
                engine("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
                alice.post(f"after a cut {i}")
        assert len(alice.get("/home").ids) == 10


def test_acl_user_in_the_address(tmp_path):
    """redis://user@host, as managed engines want it, with no more rights than the site needs."""
    secret = tmp_path / "secret"
    secret.write_text("p@ss")
    with RedisServer() as redis:
        with redis.engine() as engine:
            engine("ACL", "SETUSER", "site", "on", ">p@ss", "~{*", "&*", "+@all", "-@dangerous", "-@admin", "+info",
                   "+role")
            engine("ACL", "SETUSER", "default", "off")
        env = {"RETWIS_REDIS_URL": f"redis://site@127.0.0.1:{redis.port}",
               "RETWIS_REDIS_PASSWORD_FILE": str(secret)}
        with Server(engine=redis, env=env) as server:
            Browser(server).sign_up("alice").post("with few rights")
            assert Browser(server).get("/public").texts == ["with few rights"]


def test_tls_to_the_engine(tmp_path):
    """rediss:// with an authority of one's own; a certificate of somebody else is refused."""
    good, bad = [make_certificate(tmp_path, n) for n in ("localhost", "elsewhere")]
    with RedisServer(port=0, tls_port=retwis_process.free_port(), tls_cert_file=good[0], tls_key_file=good[1],
                     tls_auth_clients="no") as redis:
        url = f"rediss://localhost:{redis.options['tls-port']}"
        with Server(engine=redis, env={"RETWIS_REDIS_URL": url, "RETWIS_REDIS_TLS_CA": good[0]}) as server:
            Browser(server).sign_up("alice").post("enciphered")
        with Server(engine=redis, env={"RETWIS_REDIS_URL": url, "RETWIS_REDIS_TLS_CA": bad[0]}, start=False) as server:
            try:
                server.start(wait=False)
                assert server.health() == 503
            except NotStarted:
                pass
            assert "certificate" in server.log().lower()
