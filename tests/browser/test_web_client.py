"""A web client of another site, in a real browser: all that it asks crosses origins, as with Elk and Phanpy. (The npm registry has
no build of those, so a small one stands for them, of the library that they are made of: client/.)"""

import http.server
import json
import os
import threading

import pytest

from retwis_clients import libraries

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "client")
TYPES = {".html": "text/html; charset=utf-8", ".mjs": "text/javascript", ".js": "text/javascript"}


def import_map(packages):
    """Where a browser finds what the library imports by bare names: the modules that each package has for browsers."""
    found = {}
    for name in os.listdir(packages):
        manifest = os.path.join(packages, name, "package.json")
        if os.path.exists(manifest):
            with open(manifest, encoding="utf-8") as f:
                said = json.load(f)
            entry = next((e for e in (said.get("browser"), said.get("module"), said.get("main")) if isinstance(e, str)), None)
            if entry:
                found[name] = f"/npm/{name}/{entry.removeprefix('./')}"
    return json.dumps({"imports": found})


@pytest.fixture(scope="module")
def client_site():
    """The client's own site: its files, and those of npm."""
    packages = os.path.join(libraries(), "node_modules")

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            path = self.path.split("?")[0]
            name = os.path.join(packages, path[5:]) if path.startswith("/npm/") else os.path.join(HERE, path[1:] or "index.html")
            name = name if os.path.isfile(name) else name + ".js"  # as some modules name others
            body = b""
            if os.path.isfile(name):
                with open(name, "rb") as f:
                    body = f.read().replace(b"IMPORTS", import_map(packages).encode()) if path == "/" else f.read()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", TYPES.get(os.path.splitext(name)[1], "text/plain"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}/"
    site.shutdown()
    site.server_close()


def at_consent(chrome, site, server):
    """Opens the client, which registers itself and sends the person to the site's question."""
    chrome.driver.get(f"{site}#{server.url}")
    chrome.wait(lambda: chrome.driver.current_url.startswith(f"{server.url}/oauth/authorize?"), "the client asks")
    assert "A client" in chrome.text(".oauth")


def test_client_on_another_site(chrome, server, people, client_site):
    """Signs in by the consent page, reads home to its end by the Link header, likes, takes it back, posts, signs out."""
    reader, writer = people("reader", "writer")
    reader.follow(writer.name)
    for n in range(7):
        writer.post(f"number {n}")
    chrome.become(reader)
    at_consent(chrome, client_site, server)
    chrome.click("button[value=allow]")
    chrome.wait(lambda: chrome.has("body[data-ready]") or chrome.text("#error"), "the client is ready")
    assert chrome.text("#error") == "" and chrome.text("#me") == reader.name
    for count in (3, 6, 7):
        chrome.wait(lambda wanted=count: len(chrome.all("#home li")) == wanted, f"{count} posts are read")
        chrome.click("#more") if count < 7 else None
    assert chrome.texts("#home li span") == [f"number {n}" for n in reversed(range(7))]
    for word in ("Liked 1", "Like 0", "Liked 1"):
        chrome.click("#home li:nth-child(2) button")
        chrome.wait(lambda wanted=word: chrome.text("#home li:nth-child(2) button") == wanted, word)
    assert [e.text for e in reader.get("/favourites").all(".text")] == ["number 5"]
    chrome.fill("#text", "from the client <b>&").click("#write button")
    chrome.wait(lambda: chrome.texts("#home li span")[0] == "from the client <b>&", "the post is there")
    assert "from the client <b>&" in [e.text for e in reader.get(f"/@{reader.name}").all(".text")]
    chrome.click("#leave")
    chrome.wait(lambda: chrome.text("#me") == "out 401", "the token is worth nothing")
    said = [line for line in chrome.log() if "status of 401" not in line]  # which the client asked for
    assert said == [] and chrome.text("#error") == ""


def test_client_that_is_refused(chrome, server, people, client_site):
    """The client is told so, and gets nothing."""
    chrome.become(people("refuser"))
    at_consent(chrome, client_site, server)
    chrome.click("button[value=deny]")
    chrome.wait(lambda: chrome.text("#me") == "access_denied", "the client is told")
    assert chrome.text("#error") == "" and chrome.log() == []
