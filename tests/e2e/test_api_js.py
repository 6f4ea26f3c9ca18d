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
from retwis_server import Server
from retwis_tls import make_certificate


@needs("POST /api/v1/apps", "GET /api/v1/accounts/verify_credentials", "POST /api/v1/accounts/:x/follow")
@pytest.mark.parametrize("program", ["masto.mjs", "megalodon.mjs"])
def test_program_passes_all_its_steps(server, unique, program):
    """Each of them, in order, and nothing on standard error."""
    run_program(server, unique, program, server.url)


@needs("POST /api/v1/apps", "GET /api/v1/accounts/verify_credentials", "POST /api/v1/accounts/:x/follow")
def test_by_tls(unique, tmp_path):
    """Apps that know no other scheme: addresses in answers and Link headers are of https, and lead on."""
    certificate, key = make_certificate(tmp_path, "127.0.0.1")
    env = {"RETWIS_HTTP_LISTEN": "127.0.0.1:0,127.0.0.1:0s", "RETWIS_HTTP_TLS_CERTIFICATE": certificate, "RETWIS_HTTP_TLS_KEY": key}
    with Server(tmp_path, env=env) as server:
        with open(server.out_path, encoding="utf-8") as f:
            url = re.search(r"https://127\.0\.0\.1:\d+", f.read())[0]
        run_program(server, unique, "masto.mjs", url, NODE_EXTRA_CA_CERTS=certificate)


def run_program(server, unique, program, url, **more):
    """All steps of a program against the server at this address."""
    path = os.path.join(CLIENTS, program)
    with open(path, encoding="utf-8") as f:
        steps = re.findall(r'^step\("([^"]+)"', f.read(), re.M)
    people = [Api.sign_up(server, unique(stem)) for stem in ("jsalice", "jsbob")]
    world = {"url": url, "people": [{"name": p.name, "token": p.token, "password": PASSWORD} for p in people], "not_yet": sorted(NOT_YET)}
    env = {"PATH": os.environ["PATH"], "CLIENTS_WORLD": json.dumps(world), "CLIENTS_LIBRARIES": libraries(), **more}
    done = subprocess.run(["node", path], env=env, capture_output=True, text=True, timeout=limit(60), check=False)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert len(steps) >= 6 and [re.sub("^(ok|not yet) ", "", line) for line in said] == steps, said
