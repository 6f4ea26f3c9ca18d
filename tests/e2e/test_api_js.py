"""masto.js and megalodon against the server: programs of tests/clients, whose steps they print as they pass them."""

import json
import os
import re
import subprocess

import pytest

from api_client import Api
from api_contract import NOT_YET, needs
from retwis_browser import PASSWORD
from retwis_clients import CLIENTS, libraries
from retwis_process import limit


@needs("POST /api/v1/apps", "GET /api/v1/accounts/verify_credentials", "POST /api/v1/accounts/:x/follow")
@pytest.mark.parametrize("program", ["masto.mjs", "megalodon.mjs"])
def test_program_passes_all_its_steps(server, unique, program):
    """Each of them, in order, and nothing on standard error."""
    path = os.path.join(CLIENTS, program)
    with open(path, encoding="utf-8") as f:
        steps = re.findall(r'^step\("([^"]+)"', f.read(), re.M)
    people = [Api.sign_up(server, unique(stem)) for stem in ("jsalice", "jsbob")]
    world = {"url": server.url, "people": [{"name": p.name, "token": p.token, "password": PASSWORD} for p in people],
             "not_yet": sorted(NOT_YET)}
    env = {"PATH": os.environ["PATH"], "CLIENTS_WORLD": json.dumps(world), "CLIENTS_LIBRARIES": libraries()}
    done = subprocess.run(["node", path], env=env, capture_output=True, text=True, timeout=limit(60), check=False)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert len(steps) >= 6 and [re.sub("^(ok|not yet) ", "", line) for line in said] == steps, said
