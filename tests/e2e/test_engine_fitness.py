"""External engines that would lose what they acknowledge: not used, said with what to change, used as soon as it is changed."""

import requests

from retwis_server import Browser, RedisServer, Server, patience, wait_until


def health(server):
    """Status and words of /health."""
    with requests.Session() as session:
        session.trust_env = False
        answer = session.get(server.url + "/health", timeout=patience(10))
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
            assert requests.get(server.url + "/public", timeout=patience(10)).status_code == 503
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
            assert alice.get("/home").texts == ["kept"]
            metrics = requests.get(server.url + "/metrics", timeout=patience(10)).text
            assert "\nretwis_engine_warnings 1\n" in metrics and "\nretwis_engine_refused 0\n" in metrics
            assert any(policy in line and " warning " in line for line in server.log_lines())
