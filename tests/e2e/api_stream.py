"""One who listens to a stream by server-sent events, on a thread of its own.

    with Listener(api, "user") as ear:      # returns when the server has begun
        api.post("/api/v1/statuses", status="Hello")
        assert ear.next("update")["content"] == "<p>Hello</p>"
"""

import contextlib
import itertools
import json
import queue
import socket
import threading
import urllib.parse

from retwis_process import limit

END = "(end)"  # the server has ended the stream


class Listener:
    """`events` are (name, payload, id), in the order in which they came; those that were waited past are gone."""

    def __init__(self, api, channel, last=None, by_query=False, page=None, **query):
        """page: what a browser would send with it: its headers, and no token."""
        headers = f"Last-Event-ID: {last}\r\n" if last else ""
        if page is not None:
            headers += "".join(f"{name}: {value}\r\n" for name, value in page.items())
        elif by_query:
            query["access_token"] = api.token
        else:
            headers += f"Authorization: Bearer {api.token}\r\n"
        address = urllib.parse.urlsplit(api.server.url)
        self.socket = socket.create_connection((address.hostname, address.port), timeout=limit(60))
        target = f"/api/v1/streaming/{channel}?{urllib.parse.urlencode(query)}"
        self.socket.sendall(f"GET {target} HTTP/1.0\r\nHost: {address.netloc}\r\n{headers}\r\n".encode())
        self.lines = (line.decode().rstrip("\r\n") for line in self.socket.makefile("rb"))
        head = list(itertools.takewhile(bool, self.lines))
        assert " 200 " in head[0] and "Content-Type: text/event-stream" in head and "Cache-Control: no-store" in head, head
        assert next(self.lines) == ":)"
        self.came, self.last, self.comments = queue.Queue(), last, []
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):  # the server was first
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def _read(self):
        event = {}
        try:
            for line in self.lines:
                if not line and event:
                    self.came.put((event["event"], event["data"], event["id"]))
                    event = {}
                elif line.startswith(":"):
                    self.comments.append(line)
                elif line:
                    name, value = line.split(": ", 1)
                    event[name] = value
            self.came.put((END, "null", None))
        except (ValueError, OSError):
            self.came.put((END, "null", None))

    def next(self, name):
        """The payload of the next event, which must be of that name."""
        came, data, self.last = self.came.get(timeout=limit(20))
        assert came == name, (came, data)
        return data if name == "delete" else json.loads(data)

    def take(self, count):
        """So many events: name, and id of what came."""
        came = [self.came.get(timeout=limit(20)) for _ in range(count)]
        self.last = came[-1][2]
        return [(name, data if name == "delete" else json.loads(data).get("id")) for name, data, _ in came]

    def ends(self):
        """Waits until the server ends it."""
        while self.came.get(timeout=limit(20))[0] != END:
            pass
