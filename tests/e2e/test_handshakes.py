"""TLS handshakes that do not go on."""

import concurrent.futures
import re
import ssl
import time

import pytest

from http_raw import HOST, connect, own_address, read_answer
from retwis_server import Server, limit, patience, wait_until
from retwis_tls import make_certificate

GET = b"GET /robots.txt HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Environment of a server with TLS."""
    pair = make_certificate(tmp_path_factory.mktemp("certificate"), "localhost")
    return {"RETWIS_HTTP_TLS_CERTIFICATE": pair[0], "RETWIS_HTTP_TLS_KEY": pair[1]}


def start(server):
    """Starts a server that listens on both; its TLS address."""
    server.start(wait=False)
    with open(server.out_path, encoding="utf-8") as f:
        said = f.read()
    server.url = re.search(r"http://[^\s,]+", said)[0].replace("0.0.0.0", "127.0.0.1")
    server.wait_healthy()
    return "127.0.0.1", int(re.search(r"https://[^\s,]+:(\d+)", said)[1])


def client_context():
    """Takes any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def hello():
    """The first message of a handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        client_context().wrap_bio(incoming, outgoing).do_handshake()
    return outgoing.read()


def fetch(address):
    """A whole visit. Who is kept out waits in vain."""
    with connect(address, 30) as plain, client_context().wrap_socket(plain) as sock:
        sock.sendall(GET)
        assert read_answer(sock).status == 200


def is_ended(sock, seconds):
    """Whether the server closes within that time; what it says before is thrown away."""
    sock.settimeout(seconds)
    try:
        while sock.recv(4096):
            pass
        return True
    except TimeoutError:
        return False
    except OSError:
        return True


def test_stalled_handshakes_keep_nobody_out(tmp_path, certificate):
    """300 that say nothing, half a hello, or nothing after it, for 32 threads and 256 places in the queue; meanwhile 40 visits."""
    env = certificate | {"RETWIS_HTTP_LISTEN": "127.0.0.1:0,127.0.0.1:0s", "RETWIS_HTTP_THREADS": "32"}
    words = [b"", hello()[:60], hello()]
    with Server(tmp_path, env=env, start=False) as server:
        address = start(server)
        fetch(address)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            stalled = []
            visits = []
            for i in range(300):
                sock = connect(address)
                sock.sendall(words[i % 3])
                stalled.append(sock)
                if i >= 260:
                    visits.append(pool.submit(fetch, address))
            for visit in visits:
                visit.result()
        assert all(is_ended(sock, limit(30)) for sock in stalled)  # by the deadline at the latest
        fetch(address)
        assert server.metric("connections_evicted_total") > 100
        for sock in stalled:
            sock.close()


def test_handshakes_of_one_address(tmp_path, certificate):
    """A quarter of what an address may have open; and a handshake has five seconds, whatever a request has."""
    address = own_address()
    if address is None or address.startswith("127."):
        pytest.skip("this machine has no address but the loopback")
    env = certificate | {"RETWIS_HTTP_LISTEN": "0.0.0.0:0,0.0.0.0:0s", "RETWIS_HTTP_CONNECTIONS_PER_ADDRESS": "40",
                         "RETWIS_HTTP_REQUEST_TIMEOUT": "60"}
    with Server(tmp_path, env=env, start=False) as server:
        port = start(server)[1]
        held = [connect((address, port)) for _ in range(30)]
        begin = time.monotonic()
        wait_until(lambda: server.metric("connections_refused_total") == 20, 20, "ten are let in")
        fetch(("127.0.0.1", port))
        assert server.metric("connections_refused_total") == 20
        assert all(is_ended(sock, limit(30)) for sock in held)
        assert time.monotonic() - begin < patience(40)  # a request would have sixty seconds
        fetch((address, port))
        for sock in held:
            sock.close()
