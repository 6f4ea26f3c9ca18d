"""Processes of the tests: started so that they cannot outlive the tests, stopped by their own ids only."""

import atexit
import ctypes
import os
import re
import signal
import socket
import subprocess
import time

# How many times longer than usual the program may take: more than 1 in the builds with sanitizers (Makefile).
SLOWNESS = float(os.environ.get("SLOWNESS", "1"))
# As many times longer than usual, at most, because others use the machine.
BUSIEST = 10
# How many times longer a test waits for what must come than the program takes at most: how busy a machine is, it tells late, and
# a processor or a disk that stands still for seconds it does not tell at all. Only a failure takes so long.
MARGIN = 3

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)
_started = []
_reserved = []


def _die_with_parent():
    """In the child: the kernel ends it when the test process is gone, however that ended."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def patience(seconds):
    """What is allowed for something that takes the program at most so long. Not for pauses. On a machine that has more to do
    than processors, everything takes the longer."""
    return seconds * SLOWNESS * min(max(1, os.getloadavg()[0] / os.cpu_count()), BUSIEST)


def limit(seconds):
    """After which a test gives up what must come, and takes the program at most so long."""
    return MARGIN * patience(seconds)


def spawn(command, **options):
    """Starts a process. From the main thread only: the kernel takes the starting thread for the parent."""
    options.setdefault("stdin", subprocess.DEVNULL)
    process = subprocess.Popen(command, preexec_fn=_die_with_parent, **options)
    _started.append(process)
    return process


def kill(process):
    """kill -9, and waits for the end. None and ended processes are let pass."""
    if process is not None and process.poll() is None:
        process.kill()
        process.wait()


def terminate(process, seconds):
    """SIGTERM; the exit status, or an AssertionError when the process does not end in time (it is killed then)."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        return process.wait(patience(seconds))
    except subprocess.TimeoutExpired:
        kill(process)
        raise AssertionError(f"{process.args} did not end within {patience(seconds)} s of SIGTERM") from None


def wait_until(condition, seconds, what):
    """Polls until the condition holds, and returns its value; an AssertionError names what did not happen in time: `seconds` is
    what the program takes at most."""
    begin = time.monotonic()
    pause = 0.002
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > begin + limit(seconds):  # the machine may have become busy meanwhile
            raise AssertionError(f"not within {limit(seconds)} s: {what}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def resident_mib(pid):
    """Memory of a process."""
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return int(re.search(r"VmRSS:\s+(\d+) kB", f.read())[1]) // 1024


def free_port():
    """A port that nobody has, and nobody but those whom we tell will get: this process stays bound to it. The kernel gives it to
    no other socket of its choosing, and lets a server listen there that sets SO_REUSEADDR, as all do."""
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _reserved.append(sock)
    return sock.getsockname()[1]


@atexit.register
def _kill_all():
    for process in _started:
        kill(process)
