"""What the site costs while nobody is there, with the settings it comes with."""

import time

import pytest

from retwis_process import resident_mib
from retwis_server import IS_STATIC, Browser, Server

IDLE_MIB = 60
FIRST_PAGE_SECONDS = 0.5
ATTEMPTS = 10  # other tests run on the same processors: one quick start shows that it can be quick


@pytest.mark.skipif(not IS_STATIC, reason="sanitizers take time and memory")
def test_quick_to_start_and_small():
    """From the start to the first page on empty data, and the memory of server and engine after it."""
    with Server(start=False) as server:
        for _ in range(ATTEMPTS):
            begin = time.monotonic()
            server.start(wait=False)
            Browser(server).get("/")
            seconds = time.monotonic() - begin
            server.wait_healthy()
            mib = resident_mib(server.process.pid) + resident_mib(server.engine_pid())
            print(f"first page after {seconds:.2f} s, {mib:.0f} MiB")
            assert mib < IDLE_MIB
            if seconds < FIRST_PAGE_SECONDS:
                break
            server.stop()
        assert seconds < FIRST_PAGE_SECONDS, f"{ATTEMPTS} attempts"
