"""`retwis check-config` checks what the server would need, as the user that serves, and says the same as the server."""

import os
import shutil
import socket
import subprocess
import tempfile

import pytest

from retwis_process import free_port
from retwis_server import NotStarted, RedisServer, Server
from retwis_tls import make_certificate

IS_ROOT = os.geteuid() == 0
NOBODY = 65534


@pytest.fixture
def site():
    """A server that is not started: its environment and state directory."""
    with Server(start=False) as server:
        yield server


def look(server, **env):
    """Exit status, and the findings."""
    saved = dict(server.env)
    server.env.update({f"RETWIS_{name}": str(value) for name, value in env.items()})
    try:
        done = server.cli("check-config", expect=None)
    finally:
        server.env = saved
    assert (done.stdout == "configuration is good\n") == (done.returncode == 0), done
    return done.returncode, done.stderr


def test_all_is_well(push_server, site):
    """Also beside a server that runs and has the ports, which notices nothing."""
    assert look(site) == (0, "")
    port = push_server.url.rsplit(":", 1)[1]
    assert look(push_server, HTTP_LISTEN=f"127.0.0.1:{port}") == (0, "")
    assert push_server.health() == 200
    status, said = look(site, HTTP_LISTEN=f"127.0.0.1:{port}")
    assert status == 1 and f"error: http.listen: port {port} of 127.0.0.1: another program listens there\n" in said


def test_ports(site):
    """Addresses of other machines, sockets where nothing can be made; and a free port stays free."""
    port = free_port()
    assert look(site, HTTP_LISTEN=port)[0] == 0
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind(("127.0.0.1", port))
        s.listen()
    assert "no such address" in look(site, HTTP_LISTEN="192.0.2.1:8080")[1]
    assert "http.listen: /no/such/place/socket: its directory: No such file" in look(site, HTTP_LISTEN="/no/such/place/socket")[1]



@pytest.mark.skipif(not IS_ROOT, reason="only root can become somebody else")
def test_low_ports_lead_to_the_drop_in(site):
    """Service and check say the same, and what to copy."""
    with open("/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding="ascii") as f:
        low = int(f.read()) - 1
    if low < 1:
        pytest.skip("every port is free for everybody here")
    os.chmod(site.directory, 0o755)
    os.chown(site.state, NOBODY, NOBODY)
    site.env["RETWIS_HTTP_LISTEN"] = f"127.0.0.1:{low}"
    line = f"http.listen: port {low} of 127.0.0.1: Permission denied: a port below 1024 needs a permission: copy " \
        "/usr/share/doc/retwis/examples/low-ports.conf to /etc/systemd/system/retwis.service.d/"
    if not os.path.exists("/etc/systemd/system/retwis.service.d"):
        assert f"error: {line}" in look(site)[1]
    with pytest.raises(NotStarted) as refused:
        site.start()
    assert line in refused.value.text


def test_certificates(site, tmp_path):
    """Missing, another's key, expired, soon to expire, for another host, readable by everybody."""
    other = tmp_path / "other"
    other.mkdir()
    certificate, key = make_certificate(tmp_path, "localhost", days=100)
    _, other_key = make_certificate(other, "localhost")
    env = {"HTTP_LISTEN": "127.0.0.1:0s", "HTTP_TLS_CERTIFICATE": certificate, "HTTP_TLS_KEY": key}
    os.chmod(key, 0o600)
    assert look(site, **env) == (0, "")
    assert "is not for example.org" in look(site, **env, HTTP_PUBLIC_URL="https://example.org")[1]
    assert "http.tls_certificate" not in look(site, **env, HTTP_PUBLIC_URL="https://localhost")[1]
    os.chmod(key, 0o644)
    assert "warning: http.tls_key: " in look(site, **env)[1]
    env["HTTP_TLS_KEY"] = other_key
    status, said = look(site, **env)
    assert status == 1 and f"error: {other_key}: is not the key of the TLS certificate" in said
    env["HTTP_TLS_KEY"] = tmp_path / "missing"
    status, said = look(site, **env)
    assert status == 1 and "cannot read the TLS key" in said
    soon, soon_key = make_certificate(other, "localhost", days=2)
    status, said = look(site, **{**env, "HTTP_TLS_CERTIFICATE": soon, "HTTP_TLS_KEY": soon_key})
    assert status == 0 and "expires in " in said
    subprocess.run(["openssl", "x509", "-in", certificate, "-signkey", key, "-days", "-1", "-out", other / "old.pem"],
                   check=True, capture_output=True)
    status, said = look(site, **{**env, "HTTP_TLS_CERTIFICATE": other / "old.pem", "HTTP_TLS_KEY": key})
    assert status == 1 and "has expired" in said


@pytest.mark.skipif(not IS_ROOT, reason="only root can become somebody else")
def test_root_looks_with_the_eyes_of_the_owner():
    """What root can read says nothing about the service: check and start fail with the same line."""
    directory = tempfile.mkdtemp(prefix="rt-", dir="/tmp")
    try:
        os.chmod(directory, 0o755)
        certificate, key = make_certificate(directory, "localhost", days=100)
        os.chmod(key, 0o600)
        with Server(start=False) as server:
            os.chmod(server.directory, 0o755)
            os.chown(server.state, NOBODY, NOBODY)
            server.env.update(RETWIS_HTTP_LISTEN="127.0.0.1:0s", RETWIS_HTTP_TLS_CERTIFICATE=str(certificate),
                              RETWIS_HTTP_TLS_KEY=str(key))
            status, said = look(server)
            line = f"{key}: cannot read the TLS key"
            assert status == 1 and line in said and "Permission denied" in said
            with pytest.raises(NotStarted) as refused:
                server.start()
            assert line in refused.value.text
            os.chown(key, NOBODY, NOBODY)
            assert look(server) == (0, "")
            os.chown(server.state, 0, 0)
    finally:
        shutil.rmtree(directory)


def test_directories_and_proxies(site):
    """Who can look in, whether there is room, where pages come from, who speaks HTTPS."""
    os.chmod(site.state, 0o755)
    assert "warning: state.directory: " in look(site)[1]
    os.chmod(site.state, 0o700)
    assert "less than redis.disk_reserve (16777216 MiB) is free" in look(site, REDIS_DISK_RESERVE=16777216)[1]
    assert "error: http.web_dir: /no/such/place: No such file" in look(site, HTTP_WEB_DIR="/no/such/place")[1]
    proxy = {"HTTP_PUBLIC_URL": "https://example.org"}
    assert "nothing here speaks HTTPS" in look(site, **proxy)[1]
    assert look(site, **proxy, HTTP_TRUSTED_PROXIES="127.0.0.1") == (0, "")
    assert "network of everybody" in look(site, **proxy, HTTP_TRUSTED_PROXIES="0.0.0.0/0")[1]


def test_engines(site, tmp_path):
    """An external engine is judged as the server judges it; one that is away is waited for."""
    password = tmp_path / "password"
    password.write_text("secret\n")
    password.chmod(0o644)
    with RedisServer(password="secret", appendonly="no") as redis:
        env = {"REDIS_URL": f"unix://{redis.socket}", "REDIS_PASSWORD_FILE": password}
        status, said = look(site, **env)
        assert status == 1 and "error: redis.url: the engine keeps no append-only file" in said
        assert f"warning: redis.password_file: {password}: everybody" in said
        password.chmod(0o600)
        with redis.engine() as engine:
            engine("CONFIG", "SET", "appendonly", "yes")
        assert look(site, **env) == (0, "")
        password.write_text("wrong\n")
        status, said = look(site, **env)
        assert status == 1 and "error: redis.url: the engine refuses this server (password" in said
        password.unlink()
        status, said = look(site, **env)
        assert status == 1 and f"error: redis.password_file: {password}: No such file" in said
    status, said = look(site, REDIS_URL=f"unix://{redis.socket}")
    assert status == 0 and "warning: redis.url: the engine cannot be reached: the server will wait for it" in said
