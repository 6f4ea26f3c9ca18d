"""The engine as the tests see it: a few lines of RESP over a socket, and Debian's redis-server as a process.

Tests look into the data only where a page cannot show what they check (no secret stored, exact length of a list) or
to play an engine that falls ill.
"""

import os
import shutil
import socket
import subprocess
import tempfile

import retwis_process
from retwis_process import limit


class EngineError(Exception):
    """An error reply: its text is the engine's own."""


class Engine:
    """A connection to a Redis-compatible engine on a Unix socket or on a port of this machine."""

    def __init__(self, path=None, port=None, password=None, timeout=10):
        self._socket = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        self._socket.settimeout(limit(timeout))
        self._socket.connect(path if path else ("127.0.0.1", port))
        self._file = self._socket.makefile("rb")
        if password:
            self("AUTH", password)

    def __call__(self, *command):
        """Sends one command; the reply as None, int, bytes or list. An error reply is raised."""
        words = [w if isinstance(w, bytes) else str(w).encode() for w in command]
        parts = [b"*%d\r\n" % len(words)] + [b"$%d\r\n%s\r\n" % (len(w), w) for w in words]
        self._socket.sendall(b"".join(parts))
        return self._reply()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection."""
        self._file.close()
        self._socket.close()

    def _reply(self):
        line = self._file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the engine closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            raise EngineError(rest.decode())
        if kind == b":":
            return int(rest)
        size = int(rest)
        if size < 0:
            return None
        if kind == b"$":
            return self._file.read(size + 2)[:-2]
        return [self._reply() for _ in range(size)]

    def info(self, field):
        """One field of INFO, as text."""
        for line in self("INFO").decode().splitlines():
            if line.startswith(field + ":"):
                return line.split(":", 1)[1]
        raise KeyError(field)

    def keys(self, pattern="*"):
        """All keys of that pattern."""
        cursor, found = b"0", []
        while True:
            cursor, some = self("SCAN", cursor, "MATCH", pattern, "COUNT", 1000)
            found += some
            if cursor == b"0":
                return [k.decode() for k in found]

    def one_key(self, pattern):
        """The only key of that pattern."""
        found = self.keys(pattern)
        assert len(found) == 1, found
        return found[0]

    def dump(self):
        """Everything the engine holds, as one bytes object: for 'this is nowhere in it'."""
        out = []
        for key in self.keys():
            kind = self("TYPE", key).decode()
            out.append(key.encode())
            out.append(repr(self._read(kind, key)).encode())
        return b"\n".join(out)

    def _read(self, kind, key):
        command = {
            "string": ("GET", key),
            "hash": ("HGETALL", key),
            "list": ("LRANGE", key, 0, -1),
            "set": ("SMEMBERS", key),
            "zset": ("ZRANGE", key, 0, -1, "WITHSCORES"),
            "stream": ("XRANGE", key, "-", "+"),
        }.get(kind)
        return self(*command) if command else None


class RedisServer:
    """Debian's redis-server with a directory of its own, on a Unix socket and a free port."""

    def __init__(self, password=None, port=None, clock=None, **options):
        """Options are those of redis.conf, with _ for -. `clock`: a retwis_clock.Clock that it goes by."""
        self.directory = tempfile.mkdtemp(prefix="rt-redis-", dir="/tmp")
        self.socket = os.path.join(self.directory, "redis.sock")
        self.port = retwis_process.free_port() if port is None else port
        self.password = password
        self.options = {"appendonly": "yes", "appendfsync": "everysec", "save": '""', "maxmemory-policy": "noeviction"}
        self.options.update({name.replace("_", "-"): value for name, value in options.items()})
        self._process = None
        self._env = clock and clock.preloaded()
        self.start()

    def start(self):
        """Starts it and waits until it answers."""
        config = os.path.join(self.directory, "redis.conf")
        with open(config, "w", encoding="ascii") as out:
            out.write(f"dir {self.directory}\nbind 127.0.0.1\nport {self.port}\nunixsocket {self.socket}\n")
            if self.password:
                out.write(f"requirepass {self.password}\n")
            for name, value in self.options.items():
                out.write(f"{name} {value}\n")
        with open(os.path.join(self.directory, "log"), "ab") as log:
            self._process = retwis_process.spawn(["redis-server", config], stdout=log, stderr=subprocess.STDOUT,
                                                   env=self._env)
        retwis_process.wait_until(self._answers, 10, "redis-server answers")

    def _answers(self):
        try:
            with self.engine() as engine:
                return engine("PING") == b"PONG"
        except (OSError, EngineError):
            return False

    def engine(self):
        """A new connection."""
        return Engine(path=self.socket, password=self.password)

    def kill9(self):
        """Ends it as a crash would."""
        retwis_process.kill(self._process)

    def stop(self):
        """Ends it in order; the data stays."""
        retwis_process.terminate(self._process, 10)

    def close(self):
        """Ends it and removes its data."""
        retwis_process.kill(self._process)
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
