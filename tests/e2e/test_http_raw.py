"""Malformed, smuggled, oversized and slow requests, byte by byte, against the shipped program.

The page asked for is /robots.txt: it is always there, takes no round trip, and knows only GET.
"""

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import time

import pytest

from http_raw import HOST, connect, drip, exchange, one, own_address, read_answer
from retwis_server import Server, limit, patience, wait_until
from retwis_tls import make_certificate

GET = b"GET /robots.txt HTTP/1.1\r\n" + HOST
POST = b"POST /robots.txt HTTP/1.1\r\n" + HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
NEXT = b"GET /never HTTP/1.1\r\n" + HOST + b"\r\n"  # must not be taken for a request of its own
IMPATIENT = {"RETWIS_HTTP_REQUEST_TIMEOUT": "2", "RETWIS_HTTP_KEEP_ALIVE": "1", "RETWIS_HTTP_MAX_BODY": "1M"}


def late():
    """The deadline above, a tick, and a loaded machine; less than the default of 10."""
    return patience(8.0)


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    """A server with short deadlines."""
    with Server(tmp_path_factory.mktemp("impatient"), env=IMPATIENT) as server:
        yield server


# --- requests that two programs could read differently ---

@pytest.mark.parametrize("header, status", [
    (b"Content-Length: 3\r\nContent-Length: 3\r\n", 400),
    (b"Content-Length: 3\r\nContent-Length: 0\r\n", 400),
    (b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", 400),
    (b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", 400),
    (b"Transfer-Encoding: chunked\r\n", 411),
    (b"Transfer-Encoding: identity\r\nContent-Length: 3\r\n", 400),
    (b"Transfer-Encoding: xchunked\r\n", 400),
    (b"Transfer-Encoding : chunked\r\n", 400),
    (b"Content-Length: +3\r\n", 400),
    (b"Content-Length: -3\r\n", 400),
    (b"Content-Length: 3 3\r\n", 400),
    (b"Content-Length: 3,3\r\n", 400),
    (b"Content-Length: 0x3\r\n", 400),
    (b"Content-Length: 3e0\r\n", 400),
    (b"Content-Length:\r\n", 400),
    (b"Content-Length: \x0b3\r\n", 400),
    (b"Content-Length : 3\r\n", 400),
    (b"Content-Length\t: 3\r\n", 400),
    (b"X: y\n", 400),
    (b"X: y\rZ: 1\r\n", 400),
    (b"X: y\r\n folded: z\r\nContent-Length: 3\r\n", 400),
    (b"X: y\r\n\tfolded\r\n", 400),
    (b": no name\r\n", 400),
    (b"no colon\r\n", 400),
    (b"X: a\0b\r\n", 400),
    (HOST, 400),
    (b"Content-Length: 99999999999999999999\r\n", 413),
    (b"Content-Length: 16777217\r\n", 413),
])
def test_doubtful_header_is_refused_and_ends_the_connection(server, header, status):
    answers, closed = exchange(server, POST + header + b"\r\na=b" + NEXT)
    assert [a.status for a in answers] == [status]
    assert closed
    assert answers[0].headers["Connection"] == "close"


@pytest.mark.parametrize("version, extra, status", [
    (b"1.1", b"", 411),
    (b"1.1", b"Content-Length: 3\r\n", 400),
    (b"1.0", b"", 411),
    (b"1.0", b"Content-Length: 3\r\n", 400),
    (b"1.1", b"Expect: 100-continue\r\n", 411),
])
@pytest.mark.parametrize("chunk", [b"3\r\na=b", b"3;name=value\r\na=b", b'3;a="\r\n"\r\na=b', b"3;\na=b", b"0003\r\na=b", b"3\ra=b"])
def test_chunks_are_never_read(server, version, extra, status, chunk):
    """Two programs agree least about them: with extensions, quoted ends of lines, bare line feeds. What follows is no request."""
    head = POST.replace(b"HTTP/1.1", b"HTTP/" + version) + extra + b"Transfer-Encoding: chunked\r\n\r\n"
    answers, closed = exchange(server, head + chunk + b"\r\n0\r\n\r\n" + NEXT)
    assert [a.status for a in answers] == [status]
    assert closed


@pytest.mark.parametrize("request_line, status", [
    (b"GET /robots.txt HTTP/1.1\n", 400),
    (b"GET  /robots.txt HTTP/1.1\r\n", 400),
    (b"GET /robots.txt  HTTP/1.1\r\n", 400),
    (b"GET /robots.txt HTTP/1.1 \r\n", 400),
    (b"GET /robots.txt HTTP/1.2\r\n", 505),
    (b"GET /robots.txt HTTP/2.0\r\n", 505),
    (b"GET /robots.txt\r\n", 400),
    (b"get /robots.txt HTTP/1.1\r\n", 400),
    (b"NONSENSE /robots.txt HTTP/1.1\r\n", 400),
    (b"TRACE /robots.txt HTTP/1.1\r\n", 405),
    (b"CONNECT localhost:80 HTTP/1.1\r\n", 405),
    (b"PROPFIND /robots.txt HTTP/1.1\r\n", 405),
    (b"GET /%00 HTTP/1.1\r\n", 400),
    (b"GET /a%2Fb HTTP/1.1\r\n", 400),
    (b"GET /a%5cb HTTP/1.1\r\n", 400),
    (b"GET /a\\b HTTP/1.1\r\n", 400),
    (b"GET /../etc/passwd HTTP/1.1\r\n", 400),
    (b"GET /%2e%2e/etc/passwd HTTP/1.1\r\n", 400),
    (b"GET /static/v/css/%2e%2e/%2e%2e/templates/home.html HTTP/1.1\r\n", 400),
    (b"GET /a%0d%0aX:%20y HTTP/1.1\r\n", 400),
    (b"GET /%ff HTTP/1.1\r\n", 400),
    (b"GET /?a=%zz HTTP/1.1\r\n", 400),
    (b"GET * HTTP/1.1\r\n", 400),
    (b"GET ** HTTP/1.1\r\n", 400),
    (b"GET robots.txt HTTP/1.1\r\n", 400),
    (b"GET ftp://localhost/robots.txt HTTP/1.1\r\n", 400),
    (b"GET http:/robots.txt HTTP/1.1\r\n", 400),
    (b"GET http:///robots.txt HTTP/1.1\r\n", 400),
    (b"GET http://a:99999/robots.txt HTTP/1.1\r\n", 400),
    (b"GET http://a:b@localhost/robots.txt HTTP/1.1\r\n", 400),
    (b"GET http://localhost/a%2fb HTTP/1.1\r\n", 400),
    (b"GET http://localhost /robots.txt HTTP/1.1\r\n", 400),
    (b"GET  http://localhost/robots.txt HTTP/1.1\r\n", 400),
    (b"GET https://localhost/robots.txt HTTP/1.1\r\n", 421),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 HTTP/1.1\r\n", 400),
    (b"PRI * HTTP/2.0\r\n", 400),
])
def test_bad_request_line(server, request_line, status):
    answers, closed = exchange(server, request_line + HOST + b"\r\n")
    assert [a.status for a in answers] == [status]
    assert closed


@pytest.mark.parametrize("target", [b"http://localhost/robots.txt", b"http://localhost:4711/robots.txt", b"HTTP://[::1]/robots.txt?a=b",
                                    b"http://elsewhere.example//robots.txt/"])
def test_absolute_form(server, target):
    """Proxies send whole addresses, of whatever port people use; the connection goes on."""
    request = b"GET " + target + b" HTTP/1.1\r\n" + HOST + b"\r\n"
    answers, closed = exchange(server, request * 2 + GET + b"\r\n", count=3)
    assert [a.status for a in answers] == [200] * 3
    assert not closed
    assert {a.body for a in answers} == {answers[2].body}


def test_absolute_form_names_the_host(server):
    """The request line's host counts, not the header's; an address without a path is the front page."""
    for target in (b"http://there.example:81/auth/sign_in", b"http://there.example:81", b"http://there.example:81?a=b"):
        post = b"POST " + target + b" HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        ours = one(server, post + HOST + b"Origin: http://there.example:81\r\nContent-Length: 3\r\n\r\na=b")
        theirs = one(server, post + HOST + b"Origin: http://localhost\r\nContent-Length: 3\r\n\r\na=b")
        if target.endswith(b"sign_in"):
            assert (ours.status, b"out of date" in ours.body) == (403, True)
            assert (theirs.status, b"another site" in theirs.body) == (403, True)
        else:
            assert (ours.status, theirs.status) == (405, 405)


@pytest.mark.parametrize("target", [b"*", b"http://localhost:4711"])
def test_options_of_the_server(server, target):
    request = b"OPTIONS " + target + b" HTTP/1.1\r\n" + HOST + b"\r\n"
    answers, closed = exchange(server, request * 2 + GET + b"\r\n", count=3)
    assert [a.status for a in answers] == [204, 204, 200]
    assert not closed
    assert answers[0].headers["Allow"].split(", ") == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    wait_until(lambda: 'method=OPTIONS path=* status=204' in server.log().replace('"', ""), 5, "the request is in the log")


def test_asterisk_is_in_the_log(server):
    assert one(server, b"GET * HTTP/1.1\r\n" + HOST + b"\r\n").status == 400
    wait_until(lambda: 'method=GET path=* status=400' in server.log().replace('"', ""), 5, "the request is in the log")


@pytest.mark.parametrize("host", [b":::", b"[[]", b"a:99999", b":80", b"a:", b"a..b", b"[::1", b"1.2.3", b""])
def test_host_is_one(server, host):
    answer = one(server, b"GET /robots.txt HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
    assert answer.status == 400
    assert b"IPv6 address in brackets" in answer.body


def test_host_is_needed_since_1_1(server):
    assert one(server, b"GET /robots.txt HTTP/1.1\r\n\r\n").status == 400
    assert one(server, b"GET /robots.txt HTTP/1.1\r\nHost: a b\r\n\r\n").status == 400
    assert one(server, b"GET /robots.txt HTTP/1.0\r\n\r\n").status == 200


def test_body_after_a_refusal_does_not_eat_the_answer(server):
    answer = one(server, POST + b"Content-Length: 10000000\r\n\r\n" + b"a" * 2_000_000)
    assert answer.status == 413


# --- sizes ---

def test_header_count(server):
    def headers(n):
        return GET + b"".join(b"X-%d: y\r\n" % i for i in range(n - 1)) + b"\r\n"

    assert one(server, headers(63)).status == 200
    assert one(server, headers(64)).status == 431
    assert one(server, headers(65)).status == 431
    assert one(server, headers(500)).status == 431


def test_header_size(server):
    assert one(server, GET + b"X: " + b"a" * 15000 + b"\r\n\r\n").status == 200
    assert one(server, GET + b"X: " + b"a" * 30000 + b"\r\n\r\n").status == 431


def filled(first, last):
    """A head that fills the server's buffer to the last byte."""
    return first + b"a" * (16384 - len(first) - len(last)) + last


@pytest.mark.parametrize("first, last, status", [
    (GET + b"X: ", b"\r\n\r\n", 200),
    (GET + b"X: ", b"\r\n\r\n\r\n", 200),
    (GET + b"X: ", b"\n\n", 400),
    (GET + b"X: ", b"\r\n\n", 400),
    (b"GET /robots.txt?", b" HTTP/1.0\r\n\r\n", 414),
    (b"GET /robots.txt?", b" HTTP/1.0\n\n", 400),
    (GET, b": \r\n\r\n", 200),
])
def test_header_that_fills_the_buffer(server, first, last, status):
    assert one(server, filled(first, last)).status == status


@pytest.mark.parametrize("end", [b"\n\n", b"\n\n\0\0", b"\r\r\n\n", b"\n\r\n\n", b"\r\n\n\n"])
@pytest.mark.parametrize("start", [b"", HOST[:-2]])
def test_head_ended_by_bare_line_ends(server, start, end):
    assert one(server, b"GET /robots.txt HTTP/1.0" + (start and b"\r\n" + start) + end).status == 400


@pytest.mark.parametrize("start, status", [(b"\r\n", 200), (b"\r\n\r\n", 400), (b"\n", 400), (b"\n\n", 400), (b" ", 400),
                                           (b"\r\n ", 400), (b" \r\n", 400)])
def test_what_comes_before_a_request(server, start, status):
    """One empty line may."""
    assert one(server, start + GET + b"\r\n").status == status


def test_request_is_not_completed_by_another(tmp_path):
    """What an earlier request left in the server's memory must not become the end of a later one."""
    end = b" HTTP/1.0\r\n\r\n"
    other = POST + b"Content-Length: 13000\r\n\r\n" + end * 1000
    with Server(tmp_path, env={"RETWIS_HTTP_THREADS": "4"}) as server:
        for _ in range(12):
            exchange(server, other)
            for target in b"\n\nGET /robots.txt?", b"\r\n\r\nGET /robots.txt?":
                size = len(other) - 13000 + 10 * len(end)
                answers, closed = exchange(server, target + b"a" * (size - len(target)))
                assert [a.status for a in answers] == [400]
                assert closed


def test_bad_request_after_many_good_ones(server):
    """What came before on the connection does not make it one that is too large."""
    with connect(server) as sock:
        for _ in range(6):
            sock.sendall(GET + b"X: " + b"a" * 4000 + b"\r\n\r\n")
            assert read_answer(sock).status == 200
        sock.sendall(GET + b"no colon\r\n\r\n")
        assert read_answer(sock).status == 400


def test_url_size(server):
    def status(path, query):
        return one(server, b"GET /" + path + b"?" + query + b" HTTP/1.1\r\n" + HOST + b"\r\n").status
    assert status(b"robots.txt", b"a" * 8100) == 200 and status(b"a" * 2040, b"a" * 6000) == 404
    assert status(b"robots.txt", b"a" * 8193) == 414 and status(b"a" * 2049, b"") == 414


def test_body_size(server):
    assert one(server, POST + b"Content-Length: 60000\r\n\r\n" + b"a" * 60000).status == 405
    assert one(server, POST + b"Content-Length: 70000\r\n\r\n" + b"a" * 70000).status == 413


# --- methods, connections ---

def test_head_has_the_headers_of_get(server):
    got = one(server, GET + b"\r\n")
    head = one(server, b"HEAD" + GET[3:] + b"\r\n")
    assert head.status == got.status == 200
    for name in ("Content-Length", "Content-Type", "Cache-Control"):
        assert head.headers[name] == got.headers[name]
    answers, _ = exchange(server, b"HEAD /nothing HTTP/1.1\r\n" + HOST + b"\r\n")
    assert answers[0].status == 404


def test_methods_of_a_page(server):
    wrong = one(server, b"DELETE" + GET[3:] + b"\r\n")
    assert (wrong.status, wrong.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    options = one(server, b"OPTIONS" + GET[3:] + b"\r\n")
    assert (options.status, options.headers["Allow"], options.body) == (204, "GET, HEAD, OPTIONS", b"")


def test_trailing_slash(server):
    assert one(server, b"GET /robots.txt/ HTTP/1.1\r\n" + HOST + b"\r\n").status == 200


def test_keep_alive_and_pipelining(server):
    answers, closed = exchange(server, (GET + b"\r\n") * 3, count=3)
    assert [a.status for a in answers] == [200] * 3
    assert not closed
    answers, closed = exchange(server, GET + b"Connection: close\r\n\r\n" + NEXT)
    assert [a.status for a in answers] == [200]
    assert closed
    assert exchange(server, b"GET /robots.txt HTTP/1.0\r\n\r\n")[1]
    answers, closed = exchange(server, b"GET /robots.txt HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    assert answers[0].headers["Connection"] == "keep-alive"
    assert not closed


def test_expect_100_continue(server):
    with connect(server) as sock:
        sock.sendall(POST + b"Content-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        assert read_answer(sock).status == 100
        sock.sendall(b"a=b")
        assert read_answer(sock).status == 405
    answers, closed = exchange(server, POST + b"Content-Length: 70000\r\nExpect: 100-continue\r\n\r\n")
    assert ([a.status for a in answers], closed) == ([413], True)
    assert one(server, POST + b"Content-Length: 3\r\nExpect: tea\r\n\r\na=b").status == 417


def test_body_cut_short(server):
    assert one(server, POST + b"Content-Length: 30\r\n\r\na=b", finish=True).status == 400


def test_body_of_another_type(server):
    assert one(server, b"POST /auth/sign_in HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\n\r\na=b").status == 415
    assert one(server, b"POST /auth/sign_in HTTP/1.1\r\n" + HOST + b"Content-Type: text/plain\r\n"
               b"Content-Length: 3\r\n\r\na=b").status == 415


# --- headers of every answer ---

@pytest.mark.parametrize("data", [
    GET + b"\r\n",
    b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n",
    b"DELETE" + GET[3:] + b"\r\n",
    b"OPTIONS" + GET[3:] + b"\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"rubbish\r\n\r\n",
    b"TRACE / HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET / HTTP/3.0\r\n" + HOST + b"\r\n",
    GET + b"X: " + b"a" * 30000 + b"\r\n\r\n",
    POST + b"Content-Length: 70000\r\n\r\n",
    POST + b"Transfer-Encoding: chunked\r\n\r\n",
    b"POST /auth/sign_in HTTP/1.1\r\n" + HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 3\r\n\r\na=b",
], ids=lambda data: repr(data[:30]))
def test_security_headers(server, data):
    headers = one(server, data).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Permissions-Policy" in headers
    assert headers["Cache-Control"] == "no-store" or data.startswith(GET)
    assert re.fullmatch("[0-9a-f]{16}", headers["X-Request-Id"])
    assert headers["Date"].endswith(" GMT")
    assert "Server" not in headers
    assert "Strict-Transport-Security" not in headers


# --- slow clients ---

def test_slow_header(impatient):
    for first, piece in ((GET, b"X: y\r\n"), (b"", b"G")):
        begin = time.monotonic()
        with connect(impatient) as sock:
            sock.sendall(first)
            seconds, answer = drip(sock, piece, 0.3, 20, begin)
            assert answer.status == 408
            assert 1.5 < seconds < late()


def test_silent_connection(impatient):
    begin = time.monotonic()
    with connect(impatient) as sock:
        seconds, answer = drip(sock, b"", 0.3, 20, begin)
        assert answer is None and 1.5 < seconds < late()


def test_slow_body(impatient):
    begin = time.monotonic()
    with connect(impatient) as sock:
        sock.sendall(POST + b"Content-Length: 1000\r\n\r\n")
        seconds, answer = drip(sock, b"a", 0.3, 20, begin)
        assert answer.status == 408
        assert 1.5 < seconds < late()


def test_slow_large_body(impatient):
    """Whoever sends much has more time for it than the deadline of a small request."""
    size = 200 * 1024
    with connect(impatient) as sock:
        sock.sendall(POST + b"Content-Length: %d\r\n\r\n" % size)
        for _ in range(6):
            sock.sendall(b"a" * (size // 10))
            time.sleep(0.5)
        sock.sendall(b"a" * (size - 6 * (size // 10)))
        assert read_answer(sock).status == 405


def test_idle_connection(impatient):
    with connect(impatient) as sock:
        begin = time.monotonic()
        sock.sendall(GET + b"\r\n")
        assert read_answer(sock).status == 200
        seconds, answer = drip(sock, b"", 0.1, 20, begin)
        assert answer is None and 0.7 < seconds < late() - 1


def test_slow_reader(impatient):
    """Asks for far more than the buffers hold and reads nothing."""
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with connect(impatient) as model:
            sock.connect(model.getpeername())
        sock.settimeout(0.5)
        start = time.monotonic()
        try:
            while time.monotonic() - start < patience(10):
                sock.sendall((GET + b"\r\n") * 100)
        except TimeoutError:
            pass  # the server does not read on while it cannot write
        except OSError:
            assert time.monotonic() - start < patience(2) + late()
            return
        def ended():
            try:
                return sock.send(b"x") == 0
            except TimeoutError:
                return False
            except OSError:
                return True
        wait_until(ended, 6, "the server gives up the slow reader")


def test_slow_clients_do_not_hold_up_others(impatient):
    slow = [connect(impatient) for _ in range(200)]
    try:
        for sock in slow:
            sock.sendall(GET)
        times = []
        for _ in range(3):  # the best of them: the machine may be busy
            start = time.monotonic()
            assert one(impatient, GET + b"Connection: close\r\n\r\n").status == 200
            times.append(time.monotonic() - start)
        assert min(times) < patience(1), times
    finally:
        for sock in slow:
            sock.close()


# --- limits on numbers ---

def test_connections_per_address(tmp_path):
    address = own_address()
    if address is None or address.startswith("127."):
        pytest.skip("this machine has no address but the loopback")
    with Server(tmp_path, env={"RETWIS_HTTP_LISTEN": "0.0.0.0:0", "RETWIS_HTTP_CONNECTIONS_PER_ADDRESS": "5"}) as server:
        target = (address, int(server.url.rsplit(":", 1)[1]))
        held = [connect(target) for _ in range(5)]
        for sock in held:
            sock.sendall(GET + b"\r\n")
            assert read_answer(sock).status == 200

        def admitted():
            with connect(target) as sock:
                try:
                    sock.sendall(GET + b"\r\n")
                    return read_answer(sock) is not None
                except OSError:
                    return False

        assert not admitted()
        assert one(server, GET + b"\r\n").status == 200  # the loopback is not counted
        held.pop().close()
        wait_until(admitted, 5, "a place is free again")
        for sock in held:
            sock.close()


def states(pid):
    """What the threads of a process do, as letters."""
    found = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/stat", encoding="ascii") as f:
            found.add(f.read().rsplit(")", 1)[1].split()[0])
    return found


def test_two_doors_at_once(tmp_path):
    """A connection was refused, and then two listeners have somebody waiting in the same moment: both are let in. (civetweb took
    what the refusal had left in errno for the reason why poll had found two, and let nobody in any more.)"""
    address = own_address()
    if address is None or address.startswith("127."):
        pytest.skip("this machine has no address but the loopback")
    with Server(tmp_path, env={"RETWIS_HTTP_LISTEN": "0.0.0.0:0", "RETWIS_HTTP_CONNECTIONS_PER_ADDRESS": "1"}) as server:
        port = int(server.url.rsplit(":", 1)[1])
        with connect((address, port)) as first, socket.socket(socket.AF_UNIX) as local:
            first.sendall(GET + b"\r\n")
            assert read_answer(first).status == 200
            with connect((address, port)) as second:
                assert not second.recv(1), "two connections of one address"
            os.kill(server.process.pid, signal.SIGSTOP)
            try:
                wait_until(lambda: states(server.process.pid) == {"T"}, 5, "all threads stand still")
                local.settimeout(limit(10))
                local.connect(os.path.join(server.state, "http.sock"))
                others = [connect(("127.0.0.1", port), 10), local]
                for sock in others:
                    sock.sendall(b"GET /metrics HTTP/1.1\r\n" + HOST + b"\r\n")
            finally:
                os.kill(server.process.pid, signal.SIGCONT)
            assert [read_answer(sock).status for sock in others] == [404, 200]
            others[0].close()


def test_more_connections_than_threads(tmp_path):
    """Idle connections make room for new ones."""
    with Server(tmp_path, env={"RETWIS_HTTP_THREADS": "8", "RETWIS_HTTP_KEEP_ALIVE": "300"}) as server:
        held = []
        for _ in range(40):
            sock = connect(server, 30)
            held.append(sock)
            sock.sendall(GET + b"\r\n")
            assert read_answer(sock).status == 200  # else he waits until the time of another's is over
            time.sleep(0.05)
        for sock in held:
            sock.close()


# --- ways in ---

def test_unix_socket(tmp_path):
    with Server(tmp_path, start=False) as server:
        path = os.path.join(server.directory, "http.sock")
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(path)  # left over from a server that died
        server.env.update(RETWIS_HTTP_LISTEN=f"{path},127.0.0.1:0", RETWIS_HTTP_PUBLIC_URL="https://site.example")
        server.start()
        assert os.stat(path).st_mode & 0o777 == 0o660
        with socket.socket(socket.AF_UNIX) as sock:
            sock.connect(path)
            sock.sendall(GET + b"X-Forwarded-For: 6.6.6.6, 192.0.2.7\r\nX-Forwarded-Proto: https\r\n\r\n")
            answer = read_answer(sock)
        assert answer.status == 200
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        wait_until(lambda: 'address="192.0.2.7"' in server.log(), 5, "the client's address is logged")
        server.stop()
        assert not os.path.exists(path)


def metrics(path=None, port=None, header=b""):
    """Status of /metrics by a Unix socket or a port, with one more header."""
    with socket.socket(socket.AF_UNIX if path else socket.AF_INET) as sock:
        sock.connect(path or ("127.0.0.1", port))
        sock.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n" + header + b"\r\n")
        return read_answer(sock).status


def through(proxy, path, port):
    """Status of a GET by a proxy: `proxy` says what it adds, as nginx does with each proxy_set_header."""
    with socket.create_connection(("127.0.0.1", port), timeout=limit(10)) as sock:
        # nginx 1.22 with proxy_pass and nothing else, byte by byte
        sock.sendall(b"GET " + path + b" HTTP/1.0\r\n" + proxy + b"Host: 127.0.0.1:%d\r\n" % port +
                     b"Connection: close\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n")
        return read_answer(sock).status


@pytest.mark.parametrize("env", [{}, {"RETWIS_HTTP_TRUSTED_PROXIES": "127.0.0.1"},
                                 {"RETWIS_METRICS_ALLOW": "127.0.0.1, ::1, 127.0.0.0/8"}])
def test_metrics_behind_a_proxy(tmp_path, env):
    """Whom a proxy of this machine asks for gets nothing, whatever it says, declared or not; the machine's tools do."""
    with Server(tmp_path, start=False) as server:
        path = os.path.join(server.directory, "proxy.sock")
        server.env.update(env, RETWIS_HTTP_LISTEN=f"{path},127.0.0.1:0")
        server.start()
        port = int(server.url.rsplit(":", 1)[1])
        for header in (b"", b"X-Forwarded-For: 192.0.2.7\r\n", b"X-Forwarded-For: 127.0.0.1\r\n", b"Via: 1.1 a\r\n",
                       b"X-Forwarded-For: ::1\r\n", b"X-Forwarded-For: \r\n"):
            assert through(header, b"/metrics", port) == 404, header
            assert metrics(path, header=header) == 404, header
        assert "retwis_uptime_seconds" in server.metrics()
        assert "uptime_seconds" in server.cli("stats")
        assert ("metrics.allow names this machine" in server.log()) == ("RETWIS_METRICS_ALLOW" in env)


def test_metrics_for_named_machines(tmp_path):
    """metrics.allow lets others in, when a trusted proxy names them."""
    env = {"RETWIS_HTTP_TRUSTED_PROXIES": "127.0.0.1", "RETWIS_METRICS_ALLOW": "192.0.2.0/24"}
    with Server(tmp_path, env=env) as server:
        port = int(server.url.rsplit(":", 1)[1])
        assert metrics(port=port, header=b"X-Forwarded-For: 192.0.2.7\r\n") == 200
        assert metrics(port=port, header=b"X-Forwarded-For: 192.0.2.7, 198.51.100.1\r\n") == 404


def test_metrics_have_a_door_of_their_own(tmp_path):
    """metrics.listen serves /metrics and /health to whoever reaches it, and nothing of the site."""
    with Server(tmp_path, env={"RETWIS_METRICS_LISTEN": "127.0.0.1:0"}) as server:
        port = int(re.search(r"metrics are served at http://127\.0\.0\.1:(\d+)", server.log())[1])
        site = int(server.url.rsplit(":", 1)[1])
        assert port != site
        assert metrics(port=port) == 200 and metrics(port=site) == 404
        assert through(b"", b"/health", port) == 200
        for path in (b"/", b"/public", b"/auth/sign_in", b"/robots.txt", b"/no/such"):
            assert through(b"", path, port) == 404
            assert through(b"", path, site) == (404 if path == b"/no/such" else 200)


def not_after(path):
    """The end of a certificate's validity, as openssl writes it."""
    done = subprocess.run(["openssl", "x509", "-noout", "-enddate", "-in", path], check=True, capture_output=True, text=True)
    return done.stdout.strip().removeprefix("notAfter=")


def served_certificate(port, version=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if version:
        context.minimum_version = context.maximum_version = version
    with socket.create_connection(("127.0.0.1", port), timeout=limit(10)) as plain, context.wrap_socket(plain) as sock:
        sock.sendall(GET + b"\r\n")
        answer = read_answer(sock)
        assert answer.status == 200
        assert "Strict-Transport-Security" not in answer.headers, "only with an https public_url"
        return ssl.DER_cert_to_PEM_cert(sock.getpeercert(binary_form=True))


def text_of(path):
    with open(path, encoding="ascii") as f:
        return f.read()


def test_https_and_its_reload(tmp_path):
    first, second = make_certificate(tmp_path, "first"), make_certificate(tmp_path, "second", days=30)
    used = [os.path.join(tmp_path, "used.pem"), os.path.join(tmp_path, "used.key")]

    def install(pair):
        for source, target in zip(pair, used):
            with open(target, "w", encoding="ascii") as f:
                f.write(text_of(source))

    install(first)
    env = {"RETWIS_HTTP_LISTEN": "127.0.0.1:0,127.0.0.1:0s", "RETWIS_HTTP_TLS_CERTIFICATE": used[0],
           "RETWIS_HTTP_TLS_KEY": used[1]}
    with Server(tmp_path, env=env, start=False) as server:
        server.start(wait=False)
        with open(server.out_path, encoding="utf-8") as f:
            said = f.read()
        server.url = re.search(r"http://[^\s,]+", said)[0]
        server.wait_healthy()
        port = int(re.search(r"https://127\.0\.0\.1:(\d+)", said)[1])
        assert served_certificate(port, ssl.TLSVersion.TLSv1_2) == text_of(first[0])
        assert served_certificate(port, ssl.TLSVersion.TLSv1_3) == text_of(first[0])
        install((second[0], first[1]))  # certificate and key do not belong together: the old pair stays
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "old TLS certificate stays" in server.log(), 5, "the bad pair is reported")
        assert served_certificate(port) == text_of(first[0])
        install(second)
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: served_certificate(port) == text_of(second[0]), 5, "the new certificate is served")
        ends = json.loads(server.cli("stats", "--json"))["numbers"]["certificate_expiry_timestamp_seconds"]
        assert ends == ssl.cert_time_to_seconds(not_after(second[0]))


# --- the end ---

def test_stop_lets_requests_finish(tmp_path):
    with Server(tmp_path) as server:
        with connect(server) as busy, connect(server) as idle:
            idle.sendall(GET + b"\r\n")
            assert read_answer(idle).status == 200
            busy.sendall(POST + b"Content-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            assert read_answer(busy).status == 100  # so it is being served
            server.process.send_signal(signal.SIGTERM)
            assert idle.recv(1) == b""  # idle connections end at once

            def refused():
                try:
                    connect(server).close()
                    return False
                except OSError:
                    return True

            wait_until(refused, 5, "new connections are refused")
            busy.sendall(b"a=b")
            answer = read_answer(busy)
            assert answer.status == 405
            assert answer.headers["Connection"] == "close"
            assert read_answer(busy) is None
        assert server.process.wait(limit(10)) == 0


def test_port_in_use(tmp_path):
    with Server(tmp_path) as server:
        listen = server.url.split("//")[1]
        with Server(tmp_path, env={"RETWIS_HTTP_LISTEN": listen}, start=False) as other:
            done = subprocess.run(other.command + ["serve"], env=other.env, capture_output=True, text=True, timeout=limit(30),
                                  check=False)
        assert done.returncode != 0
        assert listen in done.stderr and "in use" in done.stderr
