"""Letting an application in, in a browser that holds a page's policy against every address that a form leads to."""

import http.server
import os
import threading

import pytest
import requests

from chrome import Chrome


@pytest.fixture(scope="module")
def elsewhere():
    """Another site, which leads on to a third (another port is another origin), as programs on the web do."""
    seen = []

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.path)
            onward = self.path.startswith("/back")
            self.send_response(303 if onward else 200)
            if onward:
                self.send_header("Location", f"http://127.0.0.1:{third.server_port}/in")
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>in</title><p>You are in.")

        def log_message(self, *_):
            pass

    first, third = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) for _ in range(2))
    for site in (first, third):
        threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{first.server_port}", f"http://127.0.0.1:{third.server_port}", seen
    for site in (first, third):
        site.shutdown()
        site.server_close()


@pytest.mark.parametrize("said", ["allow", "deny"])
@pytest.mark.parametrize("look", ["scripting", "plain"])
def test_answer_leaves_the_site(request, server, people, elsewhere, look, said):
    """A stranger signs in, answers, and is at the application; with JavaScript and without."""
    chrome = request.getfixturevalue("chrome" if look == "scripting" else "plain")
    site, third, seen = elsewhere
    client = server.cli("app", "create", "Elsewhere", "--redirect-uri", f"{site}/back", "--scopes", "read").split()[1]
    member = people("member")
    del seen[:]
    chrome.open(f"/oauth/authorize?response_type=code&client_id={client}&redirect_uri={site}/back&state=a%26b")
    chrome.fill("#sign_in-username", member.name).fill("#sign_in-password", "correct horse battery")
    chrome.click("form.sign-in button")
    assert "Elsewhere" in chrome.text(".oauth") and member.name in chrome.text(".oauth")
    assert not chrome.log()
    chrome.click(f"button[value={said}]")
    chrome.wait(lambda: chrome.driver.current_url == f"{third}/in", "he is led on")
    begin = "/back?code=" if said == "allow" else "/back?error=access_denied&"
    assert seen[0].startswith(begin) and seen[0].endswith("&state=a%26b")


ADDRESSES = ["myapp://callback", "org.joinmastodon.android-auth://callback", "oauth2redirect:/in?from=here"]


@pytest.fixture(scope="module", params=[True, False], ids=["scripting", "plain"])
def device(request, server, tmp_path_factory):
    """A browser on a device whose programs have schemes of their own: (browser, what such a program was opened with)."""
    tools = tmp_path_factory.mktemp("tools")
    (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$1" >>{tools}/opened\n')
    os.chmod(tools / "xdg-open", 0o755)
    schemes = {address.split(":")[0]: True for address in ADDRESSES}  # nobody is asked whether the browser may open it
    chrome = Chrome(javascript=request.param, tools=str(tools),
                    prefs={"protocol_handler": {"allowed_origin_protocol_pairs": {server.url: schemes}}})
    yield chrome, lambda: (tools / "opened").read_text().split() if (tools / "opened").exists() else []
    chrome.close()


@pytest.mark.parametrize("address", ADDRESSES)
def test_program_of_the_device(server, people, device, address):
    """The browser opens it with the code, which gets a token, or with the refusal: no policy of the page holds it back."""
    chrome, opened = device
    client, secret = server.cli("app", "create", "On the device", "--redirect-uri", address, "--scopes", "read").split()[1:4:2]
    member = people("member")
    chrome.visit(server).become(member)
    told = {}
    for said in ("allow", "deny"):
        chrome.open(f"/oauth/authorize?response_type=code&client_id={client}&redirect_uri={address}&state=a%26b")
        assert "On the device" in chrome.text(".oauth")
        before = opened()
        chrome.click(f"button[value={said}]")
        told[said] = chrome.wait(lambda known=before: opened()[len(known):], "the program is opened")[0]
    begin = f"{address}{'&' if '?' in address else '?'}"
    code = told["allow"].removeprefix(f"{begin}code=").removesuffix("&state=a%26b")
    assert told["allow"] == f"{begin}code={code}&state=a%26b"
    assert told["deny"].startswith(f"{begin}error=access_denied&") and told["deny"].endswith("&state=a%26b")
    asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": address, "client_id": client, "client_secret": secret}
    token = requests.post(f"{server.url}/oauth/token", data=asked, timeout=60).json()["access_token"]
    me = requests.get(f"{server.url}/api/v1/accounts/verify_credentials", headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert me.json()["username"] == member.name
