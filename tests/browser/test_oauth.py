"""Letting an application in, in a browser that holds a page's policy against every address that a form leads to."""

import http.server
import threading

import pytest


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
