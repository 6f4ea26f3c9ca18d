"""The program needs nothing of the machine: alone in an empty directory, with no /proc, no /etc and no shell."""

import os
import shutil

import pytest

from retwis_server import IS_STATIC, RETWIS, Browser, Server


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot needs root")
@pytest.mark.skipif(not IS_STATIC, reason="a build with sanitizers is not static")
def test_runs_in_an_empty_directory(tmp_path):
    """Engine, sign-up, restart of a killed engine, clean end."""
    with Server(tmp_path, start=False) as server:
        root = os.path.join(server.directory, "root")
        os.makedirs(os.path.join(root, "state"), 0o700)
        shutil.copy(RETWIS, os.path.join(root, "retwis"))
        os.rmdir(server.state)
        server.state = os.path.join(root, "state")
        server.command = [shutil.which("chroot"), root, "/retwis"]
        server.env["RETWIS_STATE_DIRECTORY"] = "/state"
        server.start()
        alice = Browser(server).sign_up("alice")
        alice.post("from nowhere")
        assert "retwis" in server.cli("version").lower()
        server.stop()
        server.start()
        os.kill(server.engine_pid(), 9)
        server.wait_healthy()
        assert alice.get("/home", expect=None).status in (200, 503)
        server.wait_healthy()
        assert alice.get("/home").texts == ["from nowhere"]
        server.stop()
        assert sorted(os.listdir(root)) == ["retwis", "state"]
