"""HTTP by hand, for tests that must send what no client library would."""

import re
import socket
import time
from urllib.parse import urlsplit

from retwis_process import limit, patience

HOST = b"Host: localhost\r\n"


class Answer:
    """A parsed answer; `closed` says that the connection ended after the last one, `reset` that it broke."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body


def connect(server, timeout=20):
    """A plain connection to a server, or to an (address, port)."""
    address = server if isinstance(server, tuple) else (urlsplit(server.url).hostname, urlsplit(server.url).port)
    sock = socket.create_connection(address, timeout=limit(timeout))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def own_address():
    """An address of this machine that is not the loopback; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return sock.getsockname()[0]


def read_answer(sock, head=False):
    """Reads one answer; None at the end of the connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = sock.recv(1)
        if not more:
            assert not data, data
            return None
        data += more
    lines = data.decode("latin-1").split("\r\n")
    status = int(re.fullmatch(r"HTTP/1\.1 (\d{3}) .+", lines[0])[1])
    headers = {}
    for line in lines[1:-2]:
        name, value = line.split(": ", 1)
        headers.setdefault(name, value)
    body = b""
    size = 0 if head or status in (100, 204, 304) else int(headers["Content-Length"])
    while len(body) < size:
        more = sock.recv(size - len(body))
        assert more, "the answer is shorter than its Content-Length"
        body += more
    return Answer(status, headers, body)


def exchange(server, data, finish=False, count=1):
    """Sends bytes and reads what comes back, until the server closes or, after so many answers of which the last does not say that
    it will, is silent for a moment.

    Returns all answers and whether the connection was closed.
    """
    with connect(server) as sock:
        try:
            sock.sendall(data)
            if finish:
                sock.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # refused while still sending
        answers = []
        head = data.startswith(b"HEAD")
        try:
            while True:
                answer = read_answer(sock, head)
                if answer is None:
                    return answers, True
                answers.append(answer)
                if len(answers) >= count and answer.headers.get("Connection") != "close":
                    sock.settimeout(1.0)
        except TimeoutError:
            return answers, False


def one(server, data, **keywords):
    """The one answer to these bytes."""
    answers, _ = exchange(server, data, **keywords)
    assert len(answers) == 1, [a.status for a in answers]
    return answers[0]


def drip(sock, piece, every, longest, start):
    """Sends a piece again and again until the server says something or closes. Seconds it took and the answer. It started before
    the server's clock did: else a test that has to wait for a processor finds it too quick."""
    sock.settimeout(every)
    while time.monotonic() - start < patience(longest):
        try:
            if piece:
                sock.send(piece)
        except OSError:
            return time.monotonic() - start, None
        try:
            if sock.recv(1, socket.MSG_PEEK):
                sock.settimeout(limit(5))
                return time.monotonic() - start, read_answer(sock)
            return time.monotonic() - start, None
        except TimeoutError:
            pass
        except OSError:
            return time.monotonic() - start, None
    raise AssertionError(f"the server let it go on for {patience(longest)} s")
