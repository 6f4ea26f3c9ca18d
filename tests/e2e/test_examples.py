"""The files that the package puts under examples: proxies in front of Retwis with nothing but ports, names and paths
replaced, and what Prometheus is told."""

import json
import os
import pathlib
import re
import socket
import subprocess

import pytest
import requests

from retwis_process import free_port, spawn, terminate
from retwis_server import REPOSITORY, Browser, Server, limit, wait_until
from test_http_raw import make_certificate

EXAMPLES = pathlib.Path(REPOSITORY) / "packaging" / "examples"
VISITOR = "127.0.0.9"  # whom the proxy must name


def replaced(name, *pairs):
    """The example with its places filled in: each must be there."""
    text = (EXAMPLES / name).read_text()
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def comment_ini(name):
    """The configuration that the example's head asks for, as {key: value}."""
    return dict(re.findall(r"^#   (\w+) = (.*)$", (EXAMPLES / name).read_text(), re.M))


def nginx(directory, upstream, plain, secure):
    """The command that runs the example of nginx."""
    certificate, key = make_certificate(directory, "example.org")
    site = replaced("nginx.conf", ("127.0.0.1:8080;", f"127.0.0.1:{upstream};"), ("listen 80;", f"listen 127.0.0.1:{plain};"),
                    ("listen 443 ssl", f"listen 127.0.0.1:{secure} ssl"), ("$host$request_uri", f"$host:{secure}$request_uri"),
                    ("proxy_set_header Host $host;", "proxy_set_header Host $http_host;"),
                    ("/etc/letsencrypt/live/example.org/fullchain.pem", certificate),
                    ("/etc/letsencrypt/live/example.org/privkey.pem", key), ("/var/www/acme", str(directory)))
    temporary = "".join(f"{kind}_temp_path {directory}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    main = directory / "nginx.conf"
    main.write_text(f"daemon off;\npid {directory}/pid;\nerror_log stderr;\nworker_processes 1;\n"
                    f"events {{}}\nhttp {{\n{temporary}{site}}}\n")
    return ["nginx", "-p", str(directory), "-c", str(main)]


def caddy(directory, upstream, plain, secure):
    """The command that runs the example of Caddy: with a certificate of ours, since nobody out there gives one."""
    certificate, key = make_certificate(directory, "example.org")
    site = replaced("Caddyfile", ("127.0.0.1:8080\n", f"127.0.0.1:{upstream}\n"),
                    ("example.org {", f"example.org {{\n\tbind 127.0.0.1\n\ttls {certificate} {key}"))
    main = directory / "Caddyfile"
    main.write_text(f"{{\n\tadmin off\n\thttp_port {plain}\n\thttps_port {secure}\n}}\n{site}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(main)]


class Named(requests.adapters.HTTPAdapter):
    """Connects to this machine from another of its addresses, under the name of the certificate."""

    def init_poolmanager(self, *args, **options):
        super().init_poolmanager(*args, source_address=(VISITOR, 0), server_hostname="example.org", **options)


class Visitor(requests.Session):
    """Somebody out there who knows the site by its name."""

    def __init__(self, port):
        super().__init__()
        self.trust_env = self.verify = False
        self.mount("https://", Named())
        self.headers["Host"] = f"example.org:{port}"
        self.here = f"https://127.0.0.1:{port}"

    def ask(self, path):
        """The answer to a GET; None while nobody answers."""
        try:
            return self.get(self.here + path, timeout=limit(10))
        except requests.RequestException:
            return None

    def sign_up(self, name):
        """The answer to the form; the visitor lies about his address."""
        page = self.ask("/auth/sign_up")
        form = dict(re.findall(r'<input[^>]*name="?(\w+)"?[^>]*value="?([^" >]*)', page.text))
        form.update(username=name, password="correct horse battery", password2="correct horse battery")
        return self.post(self.here + "/auth/sign_up", data=form, allow_redirects=False, timeout=limit(20),
                         headers={"Origin": "https://" + self.headers["Host"], "X-Forwarded-For": "203.0.113.7"})


def check_site(server, visitor, plain):
    """Signing up; the visitor's own address in the log; numbers for nobody; plain HTTP goes on to HTTPS."""
    assert visitor.ask("/about").headers["Strict-Transport-Security"]
    done = visitor.sign_up("proxied")
    assert done.status_code == 303, done.text
    cookies = [cookie for cookie in visitor.cookies if cookie.name.endswith("retwis")]
    assert cookies and all(cookie.secure for cookie in cookies)
    line = wait_until(lambda: re.search(r'^.*method="POST" path="/auth/sign_up".*$', server.log(), re.M), 5, "its line")
    assert f'address="{VISITOR}"' in line[0]
    assert visitor.ask("/metrics").status_code == 404
    moved = visitor.get(f"http://127.0.0.1:{plain}/@proxied?a=b", allow_redirects=False, timeout=limit(10),
                        headers={"Host": f"example.org:{plain}"})
    assert moved.status_code == 308
    assert re.fullmatch(r"https://example\.org(:\d+)?/@proxied\?a=b", moved.headers["Location"])


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_proxy(proxy, tmp_path):
    """The example and the configuration that its head asks for make a site that knows its visitors."""
    plain, secure, upstream = free_port(), free_port(), free_port()
    wanted = comment_ini("nginx.conf" if proxy is nginx else "Caddyfile")
    assert set(wanted) == {"listen", "public_url", "trusted_proxies"}
    env = {"RETWIS_HTTP_LISTEN": wanted["listen"].replace("8080", str(upstream)),
           "RETWIS_HTTP_PUBLIC_URL": f"{wanted['public_url']}:{secure}",
           "RETWIS_HTTP_TRUSTED_PROXIES": wanted["trusted_proxies"]}
    with open(tmp_path / "proxy.log", "wb") as log, Server(tmp_path, env=env) as server:
        process = spawn(proxy(tmp_path, upstream, plain, secure), stdout=log, stderr=log,
                        env=dict(os.environ, HOME=str(tmp_path), PATH=os.environ["PATH"] + ":/usr/sbin"))
        visitor = Visitor(secure)
        try:
            wait_until(lambda: (answer := visitor.ask("/health")) and answer.status_code == 200, 20, "the proxy answers")
            check_site(server, visitor, plain)
        finally:
            terminate(process, 10)


def promtool(*arguments, text=None):
    """Runs Prometheus' own check; its words on failure."""
    done = subprocess.run(["promtool", *arguments], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr


def test_numbers_please_prometheus(tmp_path):
    """`promtool check metrics` has nothing to say about the numbers, and `check rules` nothing about the alarms."""
    env = {"RETWIS_HTTP_LISTEN": "127.0.0.1:0,127.0.0.1:0s"}
    env["RETWIS_HTTP_TLS_CERTIFICATE"], env["RETWIS_HTTP_TLS_KEY"] = make_certificate(tmp_path, "example.org")
    with Server(tmp_path, env=env) as server:
        Browser(server).get("/about")
        numbers = wait_until(lambda: "\nretwis_posts " in (text := metrics(server)) and text, 10, "posts are counted")
    promtool("check", "metrics", text=numbers)
    promtool("check", "rules", str(EXAMPLES / "prometheus-alerts.yml"))
    there = set(re.findall(r"^(retwis_\w+)", numbers, re.M))
    dashboard = json.loads((EXAMPLES / "grafana-dashboard.json").read_text())
    asked = "".join(target["expr"] + "\n" for panel in dashboard["panels"] for target in panel["targets"])
    asked += (EXAMPLES / "prometheus-alerts.yml").read_text()
    missing = set(re.findall(r"\bretwis_\w+", asked)) - there
    assert not missing, "what nobody counts"


def metrics(server):
    """What Prometheus would read, by the way that the server's own tools take."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(limit(10))
        sock.connect(os.path.join(server.state, "http.sock"))
        sock.sendall(b"GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")
        answer = b"".join(iter(lambda: sock.recv(65536), b"")).decode()
    head, _, body = answer.partition("\r\n\r\n")
    assert " 200 " in head.splitlines()[0]
    return body
