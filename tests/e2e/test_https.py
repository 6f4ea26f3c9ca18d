"""Beside an https public_url nothing goes through the net in clear: not directly, not behind a proxy that ends TLS."""

import re

import pytest
import requests

from http_raw import HOST, exchange, one
from retwis_server import Browser, Server, limit
from retwis_tls import make_certificate

PUBLIC = "https://site.example"
TOKEN = "DGyRejmCefe7v4NfDGDKfA_-0123456789abcdefghi"


@pytest.fixture(scope="module", name="site")
def fixture_site(tmp_path_factory):
    """As the README has it: HTTPS and plain HTTP side by side; `tls` is the HTTPS address."""
    directory = tmp_path_factory.mktemp("https")
    proofs = directory / "web" / ".well-known" / "acme-challenge"
    proofs.mkdir(parents=True)
    (proofs / TOKEN).write_text(TOKEN + ".proof")
    (proofs / "link").symlink_to("/etc/passwd")
    (directory / "web" / "secret").write_text("secret")
    pair = make_certificate(directory, "site.example")
    env = {"RETWIS_HTTP_LISTEN": "127.0.0.1:0,127.0.0.1:0s", "RETWIS_HTTP_TLS_CERTIFICATE": pair[0],
           "RETWIS_HTTP_TLS_KEY": pair[1], "RETWIS_HTTP_PUBLIC_URL": PUBLIC,
           "RETWIS_HTTP_ACME_DIRECTORY": str(directory / "web")}
    with Server(directory, env=env) as server:
        with open(server.out_path, encoding="utf-8") as f:
            server.tls = re.search(r"https://127\.0\.0\.1:\d+", f.read())[0]
        yield server


def get(address, path, **headers):
    """An answer, not followed further."""
    with requests.Session() as session:
        session.trust_env = False
        session.verify = False
        return session.get(address + path, headers=headers, allow_redirects=False, timeout=limit(20))


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
def test_plain_is_sent_to_https(site):
    """Every page and form, with path and query as they were; no cookie, no promise about HTTPS."""
    for target in ("/", "/auth/sign_in", "/@a/1?max_id=5&x=%C3%A9%20+", "/no/such", "/static/v/css/x.css", "/metrics", "//evil/x"):
        answer = get(site.url, target)
        assert answer.status_code == 308, target
        assert answer.headers["Location"] == PUBLIC + target
        assert "Set-Cookie" not in answer.headers and "Strict-Transport-Security" not in answer.headers
    form = b"username=a&password=secret"
    posted, closed = exchange(site, b"POST /auth/sign_in HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(form) + form)
    assert [a.status for a in posted] == [308] and closed and posted[0].headers["Location"] == PUBLIC + "/auth/sign_in"
    assert one(site, b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n").status == 308
    # a browser's word that is no proxy's counts for nothing
    assert get(site.url, "/", **{"X-Forwarded-Proto": "http"}).status_code == 308
    assert get(site.url, "/health").status_code == 200 and get(site.url, "/health").text == "OK"


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
def test_https_is_served(site):
    """With cookies that are for HTTPS only, and a promise for a year that leaves subdomains alone."""
    answer = get(site.tls, "/auth/sign_in")
    assert answer.status_code == 200
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert re.match(r"__Host-retwis_visitor=.*; Secure$", answer.headers["Set-Cookie"])


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
def test_proofs_for_an_authority(site):
    """By either way; and nothing else of that directory."""
    for address in (site.url, site.tls):
        answer = get(address, f"/.well-known/acme-challenge/{TOKEN}")
        assert answer.status_code == 200 and answer.text == TOKEN + ".proof"
        for name in ("link", "nothing", "%2e%2e", "..%2fsecret", ".", "a" * 300):
            assert get(address, f"/.well-known/acme-challenge/{name}").status_code in (308, 400, 404), name
        assert one(site, b"GET /.well-known/acme-challenge/../../secret HTTP/1.1\r\n" + HOST + b"\r\n").status == 400
    assert get(site.url, "/.well-known/other").status_code == 308


def test_behind_a_proxy():
    """The usual place: a plain port of this machine, HTTPS ends at the proxy. Whatever the proxy says, it does not go round in
    circles, unless it says that the visitor came in clear."""
    env = {"RETWIS_HTTP_PUBLIC_URL": PUBLIC, "RETWIS_HTTP_TRUSTED_PROXIES": "127.0.0.1", "RETWIS_HTTP_HSTS": "30"}
    with Server(env=env) as server:
        for headers in ({"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}, {"X-Forwarded-For": "192.0.2.1"},
                        {"X-Forwarded-Proto": "https, http"}, {}):
            answer = get(server.url, "/auth/sign_in", **headers)
            assert answer.status_code == 200, headers
            assert answer.headers["Strict-Transport-Security"] == "max-age=2592000"
            assert "; Secure" in answer.headers["Set-Cookie"]
        answer = get(server.url, "/auth/sign_in?next=/x", **{"X-Forwarded-Proto": "http"})
        assert answer.status_code == 308 and answer.headers["Location"] == PUBLIC + "/auth/sign_in?next=/x"
        assert get(server.url, "/.well-known/acme-challenge/x", **{"X-Forwarded-Proto": "http"}).status_code == 308
        assert get(server.url, "/.well-known/acme-challenge/x").status_code == 404


def test_plain_can_be_allowed():
    """And a proxy that nobody declared does not send its visitors round in circles either."""
    env = {"RETWIS_HTTP_PUBLIC_URL": PUBLIC, "RETWIS_HTTP_ALLOW_PLAIN": "yes", "RETWIS_HTTP_HSTS": "0"}
    with Server(env=env) as server:
        answer = get(server.url, "/auth/sign_in")
        assert answer.status_code == 200 and "; Secure" in answer.headers["Set-Cookie"]
        assert "Strict-Transport-Security" not in answer.headers
        assert "Strict-Transport-Security" not in get(server.url, "/", **{"X-Forwarded-Proto": "https"}).headers
        server.restart(RETWIS_HTTP_ALLOW_PLAIN="no")
        assert get(server.url, "/").status_code == 308
        assert get(server.url, "/", **{"X-Forwarded-Proto": "https"}).status_code == 200


def test_members_behind_a_proxy():
    """Signing up, posting and signing out, as a browser at an https address does it."""
    env = {"RETWIS_HTTP_PUBLIC_URL": PUBLIC, "RETWIS_HTTP_TRUSTED_PROXIES": "127.0.0.1"}
    with Server(env=env) as server:
        alice = Browser(server, **{"X-Forwarded-Proto": "https", "Origin": PUBLIC})
        page = alice.get("/auth/sign_up")
        cookies = {}

        def keep(answer):
            cookies.update(re.findall(r"(__Host-\w+)=([^;]*)", str(answer.raw.headers.getlist("Set-Cookie"))))
            alice.session.headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in cookies.items())

        keep(page.response)
        answer = alice.submit(page.form("form.sign-up"), follow=False, username="alice", password="battery staple 1",
                              password2="battery staple 1")
        assert answer.status == 303
        for cookie in answer.response.raw.headers.getlist("Set-Cookie"):
            assert "; Secure" in cookie
        keep(answer.response)
        assert alice.get("/home").status == 200
        assert alice.get("/home").form("#compose")
