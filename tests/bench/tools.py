"""What the measurements share: the load generator, a raw HTTP connection, memory of processes, waiting, the table."""

import os
import re
import socket
import statistics
import subprocess
import sys
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(REPOSITORY, "tests", "e2e"))

import retwis_process  # noqa: E402
from retwis_server import RETWIS, Browser, Server  # noqa: E402, F401 - the measurements take them from here

IDLE_SECONDS = 2  # after which a connection may be closed by the other side
_UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60000.0}


class Options:
    """What the command line says."""

    def __init__(self, full):
        self.full = full
        self.seconds = 10
        self.rounds = 3 if full else 1


# --- load ---


class Load:
    """One run of wrk: requests/s, and latencies in ms."""

    def __init__(self, text):
        self.rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
        self.p50 = self._latency(text, 50)
        self.p99 = self._latency(text, 99)
        requests = re.search(r"(\d+) requests in", text)
        refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
        broken = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
        self.bad = int(refused[1]) if refused else 0
        self.broken = sum(int(broken[i]) for i in (1, 4)) if broken else 0
        self.requests = int(requests[1])
        if self.bad or self.broken:
            print(f"  (!) {self.bad} refused, {self.broken} broken of {self.requests}", file=sys.stderr)

    @staticmethod
    def _latency(text, percent):
        found = re.search(rf"\s{percent}%\s+([\d.]+)(us|ms|s|m)\b", text)
        return float(found[1]) * _UNITS[found[2]]


def _wrk(url, seconds, connections, threads, cookie, accept=None, script=None, token=None):
    command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--latency"]
    if cookie:
        command += ["-H", f"Cookie: retwis={cookie}"]
    if accept:
        command += ["-H", f"Accept-Encoding: {accept}"]
    if token:
        command += ["-H", f"Authorization: Bearer {token}"]
    if script:
        command += ["-s", script]
    return command + [url]


def load(url, seconds=10, connections=100, threads=2, cookie=None, **how):
    """Asks for one page as often as possible; `accept` is an encoding, `script` one of wrk's, `token` one of the API's."""
    command = _wrk(url, seconds, connections, threads, cookie, **how)
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 30)
    return Load(done.stdout)


class Background:
    """Likewise, while something else is measured."""

    def __init__(self, url, seconds, connections, cookie):
        self._process = retwis_process.spawn(_wrk(url, seconds, connections, 1, cookie), stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        time.sleep(0.5)
        return self

    def __exit__(self, *_):
        retwis_process.kill(self._process)
        self._process.stdout.close()


class Bare:
    """tests/bench/bare.c, built with the flags and the library of the program that is measured."""

    def __init__(self, threads=512):
        program = self.build()
        self._process = retwis_process.spawn([program, str(threads)], stdout=subprocess.PIPE, text=True)
        self.pid = self._process.pid
        self.port = int(self._process.stdout.readline())

    @staticmethod
    def build():
        """Path of the program, compiled anew."""
        directory = os.path.dirname(RETWIS)
        program = os.path.join(directory, "bench", "bare")
        source = os.path.join(HERE, "bare.c")
        os.makedirs(os.path.dirname(program), exist_ok=True)
        with open(os.path.join(directory, "flags"), encoding="ascii") as f:
            command = f"{f.read().strip()} -lcivetweb -lssl -lcrypto"
        command = command.replace(" -lhiredis_ssl", f" -o '{program}' '{source}' -lcivetweb -lhiredis_ssl", 1)
        built = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=REPOSITORY)
        if built.returncode:
            sys.exit(built.stderr)
        return program

    def url(self, size):
        """An answer of so many bytes."""
        return f"http://127.0.0.1:{self.port}/?n={size}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        retwis_process.terminate(self._process, 5)
        self._process.stdout.close()


# --- single requests ---


class Client:
    """One connection over which prepared requests go: what it adds to a time is some microseconds."""

    def __init__(self, server, cookie=None, accept=None, token=None):
        self._server, self._cookie, self._accept, self._token = server, cookie, accept, token
        self._socket, self._used = None, 0

    def _connect(self):
        url = urllib.parse.urlsplit(self._server.url)
        self._socket = socket.create_connection((url.hostname, url.port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        """Ends the connection."""
        if self._socket:
            self._socket.close()
            self._socket = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def request(self, method, path, body=None):
        """Status, head, body and the time in ms that it took."""
        host = urllib.parse.urlsplit(self._server.url).netloc
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Origin: {self._server.url}"]
        if self._cookie:
            lines.append(f"Cookie: retwis={self._cookie}")
        if self._accept:
            lines.append(f"Accept-Encoding: {self._accept}")
        if self._token:
            lines.append(f"Authorization: Bearer {self._token}")
        if body is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        wire = ("\r\n".join(lines) + "\r\n\r\n" + (body or "")).encode()
        if self._socket and time.monotonic() > self._used + IDLE_SECONDS:
            self.close()
        if not self._socket:
            self._connect()
        start = time.perf_counter()
        self._socket.sendall(wire)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._some()
        head, rest = data.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
        while len(rest) < length:
            rest += self._some()
        ms = (time.perf_counter() - start) * 1000
        self._used = time.monotonic()
        if re.search(rb"(?i)connection: close", head):
            self.close()
        return int(head.split(b" ", 2)[1]), head, rest, ms

    def _some(self):
        chunk = self._socket.recv(1 << 17)
        if not chunk:
            raise ConnectionError("the server closed the connection")
        return chunk

    def size(self, path):
        """Bytes of the whole answer."""
        status, head, body, _ = self.request("GET", path)
        assert status == 200, head
        return len(head) + 4 + len(body)


class Author(Client):
    """A user who writes posts."""

    def __init__(self, server, name):
        self.browser = Browser(server).sign_up(name)
        super().__init__(server, self.browser.cookie)
        self._form_token = self.browser.token()

    @property
    def uid(self):
        """Read off the cookie."""
        return int(self.browser.cookie.split(".")[0])

    def post(self, text):
        """ms until the post was acknowledged."""
        form = urllib.parse.urlencode({"csrf_token": self._form_token, "status": text, "next": "/home"})
        status, head, _, ms = self.request("POST", "/posts", form)
        assert status == 303, head
        return ms


# --- the machine ---


def memory(pid, field="Pss"):
    """MB of a process: proportional (shared pages once), or "Rss"."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as f:
        return int(re.search(rf"^{field}:\s+(\d+)", f.read(), re.MULTILINE)[1]) / 1024


def cpu_us(pid):
    """Microseconds of processors that a process has used, all its threads together; counted in hundredths of a second."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
        fields = f.read().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1e6 / os.sysconf("SC_CLK_TCK")


def settle(engine, seconds=120):
    """Waits until the engine has rewritten its log, so that this does not happen during a measurement."""
    if engine.info("aof_rewrite_in_progress") == "0":  # the engine begins one by itself when its log has grown
        engine("BGREWRITEAOF")
    retwis_process.wait_until(lambda: engine.info("aof_rewrite_in_progress") == "0" and
                              engine.info("aof_rewrite_scheduled") == "0", seconds, "the log is rewritten")


def socket_path(server):
    """The engine's socket."""
    return os.path.join(server.state, "engine", "sock")


def benchmark(path, *arguments):
    """Commands/s of the engine's own benchmark program over its socket."""
    done = subprocess.run(["redis-benchmark", "-s", path, "-q", *arguments], capture_output=True, text=True, check=True,
                          timeout=120)
    return float(re.findall(r"([\d.]+) requests per second", done.stdout)[-1])


def percentile(values, percent):
    """The value that so many percent do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def median(values):
    """Half are below."""
    return statistics.median(values)


# --- what comes out ---


class Table:
    """Figures, printed as they come and once more at the end."""

    def __init__(self):
        self.rows = []

    def add(self, what, value, target="", good=None):
        """A row; `good` says whether the target is reached."""
        self.rows.append((what, value, target, "" if good is None else "yes" if good else "NO"))
        print(f"  {what}: {value}" + (f"   (target {target}: {self.rows[-1][3]})" if target else ""), flush=True)

    def print(self):
        """As a table that can be put into README.md."""
        print("\n| figure | measured | target | reached |\n|---|---|---|---|")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")


def build_program(name, objects=()):
    """Builds tests/bench/<name>.c with the library, and these objects, as the program was built. Its path."""
    directory = os.path.dirname(RETWIS)
    program, source = os.path.join(directory, "bench", name), os.path.join(HERE, f"{name}.c")
    os.makedirs(os.path.dirname(program), exist_ok=True)
    with open(os.path.join(directory, "flags"), encoding="ascii") as f:
        command = f.read().strip()
    archive = os.path.join(directory, "libretwis.a")
    files = " ".join(f"'{each}'" for each in (source, *objects, archive))
    command = command.replace(" -lhiredis_ssl", f" -Itests/unit -o '{program}' {files} -lcivetweb -lhiredis_ssl", 1)
    built = subprocess.run(command.replace("-static-pie", "-pie"), shell=True, capture_output=True, text=True, check=False,
                           cwd=REPOSITORY)
    if built.returncode:
        sys.exit(built.stderr)
    return program
