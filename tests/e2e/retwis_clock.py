"""A clock that a test moves: of a Retwis server (RETWIS_TEST_CLOCK), or of Debian's redis-server (a preloaded library)."""

import os
import struct
import subprocess
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine_clock.c")


class Clock:
    """By how many seconds somebody's wall clock is ahead of the machine's; may be changed while he runs."""

    def __init__(self, seconds=0):
        self._file = tempfile.NamedTemporaryFile(prefix="rt-clock-")
        self._library = None
        self.set(seconds)

    def set(self, seconds):
        """Moves the clock."""
        self._file.seek(0)
        self._file.write(struct.pack("=q", int(seconds * 1000)))
        self._file.flush()

    def env(self):
        """For the environment of a server."""
        return {"RETWIS_TEST_CLOCK": self._file.name}

    def preloaded(self):
        """The environment of a program that asks the C library for the time."""
        if not self._library:
            self._library = tempfile.NamedTemporaryFile(prefix="rt-clock-", suffix=".so")
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self._library.name, SOURCE, "-ldl"], check=True)
        return dict(os.environ, LD_PRELOAD=self._library.name, **self.env())

    def close(self):
        """The files go."""
        self._file.close()
        if self._library:
            self._library.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
