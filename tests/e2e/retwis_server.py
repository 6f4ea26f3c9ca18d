"""The server of the tests: the shipped program with a state directory of its own on a free port.

    with Server() as server:                    # embedded engine, push, no rate limits
        Browser(server).sign_up("alice").post("Hello")

RETWIS names the program (default build/retwis). Nothing is mocked.
"""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time

import requests

import retwis_process
from http_raw import read_answer
from retwis_browser import PASSWORD, Browser  # noqa: F401 - the tests take all from here
from retwis_engine import Engine, EngineError, RedisServer  # noqa: F401
from retwis_process import limit, patience, wait_until  # noqa: F401

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RETWIS = os.path.abspath(os.environ.get("RETWIS", os.path.join(REPOSITORY, "build", "retwis")))

def _is_static(path):
    """Whether the program needs no loader: false for the builds with sanitizers, which also take more memory and time."""
    try:
        with open(path, "rb") as f:
            return b"/ld-linux" not in f.read(65536)
    except OSError:
        return True


IS_STATIC = _is_static(RETWIS)

START_SECONDS = 40
STOP_SECONDS = 15  # the promise of SIGTERM is 10, of which the program uses 8 when the engine does not answer

# What must never stand in a log, whatever the test was about: a broken invariant, a report of a sanitizer.
_COMPLAINT = re.compile(r"^.*(?:retwis: fatal|broken invariant|Sanitizer:|runtime error:).*(?:\n.*){0,40}", re.M)

_FIELD = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class NotStarted(Exception):
    """The server ended instead of getting ready; its exit status and words."""

    def __init__(self, status, text):
        super().__init__(f"exit status {status}: {text}")
        self.status = status
        self.text = text


class Server:
    """One `retwis serve`. Keywords: see __init__; everything else of the configuration by `env`."""

    def __init__(self, tmp_path=None, env=None, engine="embedded", mode=None, limits=False, start=True, command=None,
                 directory=None, state=None, arguments=()):
        """engine: "embedded", a RedisServer, or "redis" for one of its own. `directory` is where state and logs are;
        by default a new one under /tmp (the path of a Unix socket has 107 bytes at most, so tmp_path is often too
        long and only takes the logs). `command` replaces the program's path, and `state` the state directory's name
        as the program sees it (chroot)."""
        self._owns_directory = directory is None
        self.directory = directory or tempfile.mkdtemp(prefix="rt-", dir="/tmp")
        self.state = os.path.join(self.directory, "state")
        os.makedirs(self.state, mode=0o700, exist_ok=True)
        self.log_path = os.path.join(str(tmp_path or self.directory), "server.log")
        self.out_path = os.path.join(str(tmp_path or self.directory), "server.out")
        self.command = command or [RETWIS]
        self.arguments = list(arguments)
        self.redis = RedisServer() if engine == "redis" else engine if isinstance(engine, RedisServer) else None
        self._owns_redis = engine == "redis"
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("RETWIS_")}
        # idle connections stay: a request on one that the server closes in the same moment would be lost
        self.env.update(RETWIS_STATE_DIRECTORY=state or self.state, RETWIS_HTTP_LISTEN="127.0.0.1:0",
                        RETWIS_HTTP_KEEP_ALIVE="120", RETWIS_PROCESS_ALLOW_ROOT="yes",
                        RETWIS_HTTP_THREADS="256")  # half of what is usual: many servers run side by side
        if self.redis:
            self.env["RETWIS_REDIS_URL"] = f"unix://{self.redis.socket}"
        if mode:
            self.env["RETWIS_TIMELINE_MODE"] = mode
        if not limits:
            self.env["RETWIS_LIMITS_ENABLED"] = "no"
        self.env.update(env or {})
        self.url = None
        self.process = None
        if start:
            try:
                self.start()
            except BaseException:
                self.close()
                raise

    # --- life ---

    def start(self, wait=True):
        """Starts the program and waits until /health says 200."""
        out_from, log_from = _size(self.out_path), _size(self.log_path)
        with open(self.out_path, "ab") as out, open(self.log_path, "ab") as log:
            self.process = retwis_process.spawn(self.command + ["serve"] + self.arguments, env=self.env, stdout=out,
                                                stderr=log)

        def address():
            found = re.search(r"https?://[^\s,]+", _tail(self.out_path, out_from))
            if not found and self.process.poll() is not None:
                text = _tail(self.log_path, log_from) + _tail(self.out_path, out_from)
                raise NotStarted(self.process.returncode, text)
            return found and found[0]

        self.url = wait_until(address, START_SECONDS, "the server says its address")
        if wait:
            self.wait_healthy()
        return self

    def health(self):
        """Status of /health; None while nobody listens."""
        try:
            with requests.Session() as session:
                session.trust_env = False
                return session.get(self.url + "/health", timeout=limit(10), verify=False).status_code
        except requests.RequestException:
            return None

    def wait_healthy(self, seconds=START_SECONDS):
        """Waits until the site serves; if it never does, the error carries what it says of itself."""
        try:
            wait_until(lambda: self.health() == 200 or self._must_run(), seconds, "/health says 200")
        except AssertionError as late:
            raise AssertionError(f"{late}; it says {self.complaint()}; its log ends: {self.log()[-3000:]}") from None

    def complaint(self):
        """What /health answers, in words."""
        try:
            with requests.Session() as session:
                session.trust_env = False
                return session.get(self.url + "/health", timeout=limit(10), verify=False).text
        except requests.RequestException as e:
            return repr(e)

    def _must_run(self):
        if self.process.poll() is not None:
            raise NotStarted(self.process.returncode, self.log())
        return False

    def stop(self):
        """SIGTERM: must end with status 0 within the promised time."""
        status = retwis_process.terminate(self.process, STOP_SECONDS)
        assert status == 0, f"exit status {status}: {self.log()[-2000:]}"

    def kill9(self):
        """Ends the server, and only the server, as a crash would."""
        retwis_process.kill(self.process)

    def restart(self, **env):
        """Stops in order and starts again, with other settings if given; the data stays."""
        self.stop()
        self.env.update(env)
        return self.start()

    def close(self):
        """Ends what was started and removes its data. Fails only if the program found something wrong with itself."""
        if self.process is not None and self.process.poll() is None:
            try:
                retwis_process.terminate(self.process, STOP_SECONDS)
            except AssertionError:
                pass
        if self._owns_redis and self.redis:
            self.redis.close()
        complaints = _COMPLAINT.search(self.log())
        if self._owns_directory:
            shutil.rmtree(self.directory, ignore_errors=True)
        assert not complaints, complaints[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- the engine ---

    def engine(self):
        """A connection to the engine, past the server."""
        return self.redis.engine() if self.redis else Engine(path=os.path.join(self.state, "engine", "sock"))

    def engine_pid(self):
        """Process id of the engine, by its own word."""
        with self.engine() as engine:
            return int(engine.info("process_id"))

    # --- what it says ---

    def metrics(self):
        """Text of /metrics, as the machine's own tools get it."""
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(limit(10))
            sock.connect(os.path.join(self.state, "http.sock"))
            sock.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = read_answer(sock)
        assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        return answer.body.decode()

    def metric(self, name):
        """One number of it, without labels; `name` is what comes after "retwis_"."""
        return float(re.search(rf"^retwis_{name} ([\d.]+)$", self.metrics(), re.M)[1])

    def log(self):
        """Standard error so far."""
        return _tail(self.log_path, 0)

    def log_lines(self):
        """Likewise, line by line."""
        return self.log().splitlines()

    def access(self, response):
        """The fields of the access log line of an answer, by the request id that the answer carries."""
        request_id = response.headers["X-Request-Id"]

        def find():
            for line in reversed(self.log_lines()):
                if f'id="{request_id}"' in line and " access: " in line:
                    return dict(_FIELD.findall(line))
            return None

        return wait_until(find, 5, f"an access log line of request {request_id}")

    def trips(self, response):
        """Round trips to the engine that an answer took."""
        return int(self.access(response)["trips"])

    # --- other subcommands ---

    def cli_bytes(self, *args):
        """What a subcommand writes that is no text."""
        return subprocess.run(self.command + list(args), env=self.env, stdout=subprocess.PIPE, timeout=limit(60), check=True).stdout

    def cli(self, *args, expect=0, input=None):
        """Runs a subcommand with the server's environment; its standard output."""
        done = subprocess.run(self.command + list(args), env=self.env, input=input, capture_output=True, text=True,
                              timeout=limit(60), check=False)
        assert expect is None or done.returncode == expect, f"{args}: {done}"
        if args[:1] in (("user",), ("app",)) and args[1:2] not in (("create",), ("list",)):
            time.sleep(0.15)  # what another process changes is seen within moments: on a busy machine some more
        return done.stdout if expect is not None else done


def _size(path):
    return os.path.getsize(path) if os.path.exists(path) else 0


def _tail(path, start):
    if not os.path.exists(path):
        return ""
    with open(path, "rb") as f:
        f.seek(start)
        return f.read().decode("utf-8", "replace")
