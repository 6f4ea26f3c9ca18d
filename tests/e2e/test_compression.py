"""Pages are compressed for those who want it, whoever asks in whatever words; and their length betrays no secret."""

import base64
import ctypes
import gzip
import re
import statistics
import uuid

import pytest

import http_raw
from retwis_server import Browser

_ZSTD = ctypes.CDLL("libzstd.so.1")
_ZSTD.ZSTD_decompress.restype = ctypes.c_size_t


def unpack(answer):
    """The body as it was before."""
    encoding = answer.headers.get("Content-Encoding")
    if encoding == "zstd":
        out = ctypes.create_string_buffer(1 << 20)
        size = _ZSTD.ZSTD_decompress(out, ctypes.c_size_t(len(out)), answer.body, ctypes.c_size_t(len(answer.body)))
        assert size <= len(out), "no zstd"
        return out.raw[:size]
    assert encoding in (None, "gzip")
    return gzip.decompress(answer.body) if encoding else answer.body


class Reader:
    """A connection of a member that sees what is on the wire."""

    def __init__(self, browser):
        self._browser = browser
        self._socket = http_raw.connect(browser.server)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def get(self, path, *lines, method="GET"):
        """The answer as it comes."""
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Cookie: retwis={self._browser.cookie}", *lines]
        self._socket.sendall("\r\n".join(head + ["", ""]).encode())
        return http_raw.read_answer(self._socket, head=method == "HEAD")


@pytest.fixture(name="member")
def _member(push_server, people):
    """Somebody with a home of twenty short posts."""
    member = people(push_server, "packed")
    for n in range(20):
        member.post_quickly(f"Short post number {n}: {uuid.uuid4()}")
    return member


def test_every_encoding_brings_the_same_page(member):
    """zstd, gzip and none; odd and broken wishes get the page too; HEAD says what GET would be."""
    with Reader(member) as reader:
        plain = reader.get("/home")
        assert "Content-Encoding" not in plain.headers and plain.headers["Vary"] == "Accept-Encoding"
        posts = re.findall("Short post number[^<]*", plain.body.decode())
        assert len(posts) == 20
        for accept, encoding in (("gzip, deflate, br, zstd", "zstd"), ("gzip, deflate, br", "gzip"), ("*", "gzip"),
                                 ("zstd;q=0, gzip;q=0.1", "gzip"), ("identity, gzip;q=0.5", None), ("br", None),
                                 ("gzip;q=nonsense", None), (",;=;;q=,,", None), ("gzip" * 900, None), ("\xff\xfe", None)):
            answer = reader.get("/home", f"Accept-Encoding: {accept}")
            assert answer.status == 200 and answer.headers.get("Content-Encoding") == encoding, accept
            body = unpack(answer).decode()
            assert all(line in body for line in posts), accept
            if encoding:
                assert len(answer.body) <= 5 * 1024, f"{accept}: {len(answer.body)} bytes"
            head = reader.get("/home", f"Accept-Encoding: {accept}", method="HEAD")
            assert abs(int(head.headers["Content-Length"]) - len(answer.body)) < 400  # one may be given again, the other made
            assert head.headers.get("Content-Encoding") == encoding
        refused = reader.get("/no/such/page", "Accept-Encoding: zstd")
        assert refused.status == 404 and b"</html>" in unpack(refused)
        small = reader.get("/health", "Accept-Encoding: zstd")
        assert "Content-Encoding" not in small.headers and "Vary" not in small.headers


def _token(answer):
    """The token of a page's forms."""
    return re.search(rb'name=csrf_token value="?([A-Za-z0-9_-]+)', unpack(answer))[1].decode()


def test_length_betrays_no_token(member):
    """What a stranger would do who can put words into a page and see how long it becomes (BREACH): guess the token. It is
    another one in each answer, so a right guess is no shorter than a wrong one; and all of them are good."""
    with Reader(member) as reader:
        def search(text):
            return reader.get(f"/search?q={text}", "Accept-Encoding: gzip", "Sec-Fetch-Site: same-origin")

        tokens = [_token(search("x")) for _ in range(4)]
        assert len(set(tokens)) == 4
        for token in tokens[:2]:
            assert member.post_form("/posts", {"csrf_token": token, "status": "x", "next": "/home"}, follow=False).status == 303
        lengths = {"right": [], "wrong": []}
        for _ in range(16):
            wrong = base64.urlsafe_b64encode(uuid.uuid4().bytes + uuid.uuid4().bytes).decode()[:43]
            lengths["right"].append(len(search(tokens[0]).body))
            lengths["wrong"].append(len(search(wrong).body))
        right, wrong = (statistics.mean(lengths[k]) for k in ("right", "wrong"))
        assert abs(right - wrong) < 12, lengths  # what is there twice costs some 40 bytes less
        seen = search("twice" + tokens[1] + "-" + tokens[1])
        assert len(search(tokens[1] + "-" + tokens[2]).body) - len(seen.body) > 20, "lengths show what is there twice"


def test_what_another_site_caused_is_not_compressed(member):
    """Not for a member, whatever his browser accepts; strangers have no secrets."""
    with Reader(member) as reader:
        for sent_by, encoding in (("same-origin", "gzip"), ("none", "gzip"), ("cross-site", None), ("same-site", None)):
            answer = reader.get("/home", "Accept-Encoding: gzip", f"Sec-Fetch-Site: {sent_by}")
            assert answer.status == 200 and answer.headers.get("Content-Encoding") == encoding, sent_by
    stranger = Browser(member.server)
    page = stranger.get("/public", headers={"Accept-Encoding": "gzip", "Sec-Fetch-Site": "cross-site"})
    assert page.headers["Content-Encoding"] == "gzip"
