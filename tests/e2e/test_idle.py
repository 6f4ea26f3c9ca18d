"""What the site costs while nobody is there, with the settings it comes with. How quickly it starts is measured by the bench."""

import pytest

from retwis_process import resident_mib
from retwis_server import IS_STATIC, Browser, Server

IDLE_MIB = 60


@pytest.mark.skipif(not IS_STATIC, reason="sanitizers take memory")
def test_small():
    """The memory of server and engine after the first page on empty data."""
    with Server() as server:
        Browser(server).get("/")
        mib = resident_mib(server.process.pid) + resident_mib(server.engine_pid())
        print(f"{mib:.0f} MiB")
        assert mib < IDLE_MIB
