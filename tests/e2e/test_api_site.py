"""What programs ask of a site that they meet for the first time: instance, nodeinfo, handles, feeds."""

import re
import xml.etree.ElementTree as xml

import pytest
import requests

from api_client import Api
from retwis_server import RedisServer, Server, wait_until

ATOM = "{http://www.w3.org/2005/Atom}"


def fetch(server, path, **headers):
    return requests.get(server.url + path, headers=headers, timeout=30)


def test_instance_documents(server):
    """Both versions say the same, promise no files and no polls, and a version that clients can read."""
    nobody = Api(server)
    old, new = nobody.get("/api/v1/instance"), nobody.get("/api/v2/instance/")
    host = server.url.split("://")[1]
    assert old["uri"] == new["domain"] == host
    assert re.fullmatch(r"\d+\.\d+\.\d+ \(compatible; Retwis \d+\.\d+\.\d+\)", old["version"]) and old["version"] == new["version"]
    assert old["urls"] == {"streaming_api": "ws://" + host}
    assert new["configuration"]["urls"] == {"streaming": "ws://" + host}
    assert new["api_versions"] == {"mastodon": 2}
    for configuration in (old["configuration"], new["configuration"]):
        assert configuration["statuses"]["max_characters"] == 500
        assert configuration["statuses"]["max_media_attachments"] == 0
        assert configuration["media_attachments"]["supported_mime_types"] == []
        assert configuration["polls"]["max_options"] == 0
    assert old["registrations"] is True and new["registrations"]["enabled"] is True
    picture = requests.get(new["thumbnail"]["url"], timeout=30)
    assert picture.ok and picture.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    style = re.search(r'href="?(/static/[^" >]+\.css)', fetch(server, "/about").text).group(1)
    assert fetch(server, style).headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_numbers():
    """Of people, posts and who was here: the same in all documents. They are counted once a minute, so the first to ask counts."""
    with Server() as server:
        ann = Api.sign_up(server, "ann")
        Api.sign_up(server, "bob")
        for text in ("one", "two"):  # not by a page: /about counts, and gives browsers the token of their forms
            ann.post("/api/v1/statuses", status=text)
        nobody = Api(server)
        node, old, new = (nobody.get(path) for path in ("/nodeinfo/2.0", "/api/v1/instance", "/api/v2/instance"))
        assert node["usage"] == {"users": {"total": 2, "activeMonth": 2, "activeHalfyear": 2}, "localPosts": 2}
        assert old["stats"] == {"user_count": 2, "status_count": 2, "domain_count": 1}
        assert new["usage"] == {"users": {"active_month": 2}}
        assert node["protocols"] == [] and node["metadata"]["federation"] == {"enabled": False}
        site = nobody.get("/api/retwis/v1/site")
        assert (site["users"], site["posts"], site["active_month"]) == (2, 2, 2)


def test_taken_back_after_counting():
    """A direct post is counted nowhere, so taking it back takes none off. (Debian's engine refuses to add "-0", ours does not.)"""
    with RedisServer() as engine, Server(engine=engine) as server:
        ann = Api.sign_up(server, "ann")
        assert Api(server).get("/api/v1/instance")["stats"]["status_count"] == 0
        for visibility in ("direct", "public"):
            written = ann.post("/api/v1/statuses", status="to nobody", visibility=visibility)
            assert ann.delete(f"/api/v1/statuses/{written['id']}")["id"] == written["id"]
        server.cli("check")


def test_settings_of_the_site():
    """Rules, contact, closed registration; the limit on reading is told to whom it counts."""
    with Server(env={"RETWIS_LIMITS_READ": "50/5m", "RETWIS_LIMITS_ENABLED": "yes", "RETWIS_LIMITS_READ_EXEMPT": ""}) as server:
        assert fetch(server, "/.well-known/security.txt").status_code == 404
        server.cli("settings", "set", "site.rules", "-", input="Be kind.\nBe brief.\n")
        server.cli("settings", "set", "site.contact", "ann@example.org")
        server.cli("settings", "set", "registration", "closed")

        def is_told():
            return fetch(server, "/api/v2/instance").json()["registrations"]["enabled"] is False

        wait_until(is_told, 2, "the setting is in force")
        document = fetch(server, "/api/v2/instance").json()
        assert [rule["text"] for rule in document["rules"]] == ["Be kind.", "Be brief."]
        assert document["contact"]["email"] == "ann@example.org"
        text = fetch(server, "/.well-known/security.txt").text
        assert "Contact: mailto:ann@example.org\n" in text and re.search(r"^Expires: \d{4}-\d\d-\d\dT", text, re.M)
        first, second = fetch(server, "/api/v1/instance"), fetch(server, "/api/v1/instance")
        left = [int(answer.headers["X-RateLimit-Remaining"]) for answer in (first, second)]
        assert first.headers["X-RateLimit-Limit"] == "50" and left[1] <= left[0] < 50
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first.headers["X-RateLimit-Reset"])
        for _ in range(60):
            answer = fetch(server, "/api/v1/instance")
            if answer.status_code == 429:
                break
        assert answer.status_code == 429 and answer.json() == {"error": "Too many requests"}
        assert answer.headers["X-RateLimit-Remaining"] == "0" and int(answer.headers["Retry-After"]) >= 1


def test_other_sites_may_ask(server):
    """CORS on the API, asked first or not; pages let nobody in."""
    for path in ("/api/v1/instance", "/nodeinfo/2.0", "/.well-known/nodeinfo", "/api/v1/nothing", "/oauth/token"):
        answer = requests.options(server.url + path, timeout=30, headers={
            "Origin": "https://elk.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization"})
        assert answer.headers["Access-Control-Allow-Origin"] == "*", path
    assert fetch(server, "/api/v1/nothing", Origin="https://elk.example").headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in fetch(server, "/about", Origin="https://elk.example").headers


def test_nodeinfo_leads_to_itself(server):
    """Clients follow the link, and take the site for Mastodon's API by its upstream."""
    links = fetch(server, "/.well-known/nodeinfo").json()["links"]
    assert links[0]["rel"] == "http://nodeinfo.diaspora.software/ns/schema/2.0"
    document = requests.get(links[0]["href"], timeout=30).json()
    assert document["software"]["name"] == "retwis" and document["metadata"]["upstream"] == {"name": "mastodon"}
    assert document["openRegistrations"] is True


def test_handles(server, people):
    """webfinger knows the people of this host and of no other; host-meta says where it is."""
    ann, host = people(server, "ann"), server.url.split("://")[1]
    template = xml.fromstring(fetch(server, "/.well-known/host-meta").content)[0].get("template")
    for resource in (f"acct:{ann.name}@{host}", f"acct:{ann.name.upper()}@{host}", f"{server.url}/@{ann.name}"):
        answer = requests.get(template.replace("{uri}", resource), timeout=30)
        assert answer.headers["Content-Type"].startswith("application/jrd+json")
        assert answer.json()["subject"] == f"acct:{ann.name}@{host}"
        assert answer.json()["links"][0]["href"] == f"{server.url}/@{ann.name}"
    for resource in (f"acct:{ann.name}@elsewhere.example", "acct:no_such_person@" + host, "acct:@" + host, "acct:", "ann", "",
                     f"{server.url}/@", "acct:" + "x" * 500 + "@" + host):
        assert fetch(server, "/.well-known/webfinger?resource=" + requests.utils.quote(resource)).status_code == 404, resource
    assert fetch(server, "/.well-known/webfinger").status_code == 422


@pytest.mark.parametrize("kind", ["rss", "atom"])
def test_feeds(server, people, kind):
    """Posts of a person, with a tag, of everybody: well-formed, escaped, what a stranger sees, and not sent again."""
    ann, tag = people(server, "ann"), "t" + people(server, "tag").name
    ann.post(f"one <b> & \"two\" #{tag}")
    ann.post("behind", spoiler_text="a warning & more", visibility="public")
    ann.post("for followers only", visibility="private")
    for path in (f"/@{ann.name}", "/public", f"/tags/{tag}"):
        page = fetch(server, path).text
        address = re.search(r'href="?(%s/feed\.%s)' % (re.escape(path), kind), page).group(1)
        answer = fetch(server, address)
        assert answer.headers["Content-Type"].startswith(f"application/{kind}+xml")
        assert "Set-Cookie" not in answer.headers
        root = xml.fromstring(answer.content)
        items = root.findall(".//item") if kind == "rss" else root.findall(ATOM + "entry")
        texts = [item.findtext("description") if kind == "rss" else item.findtext(ATOM + "content") for item in items]
        mine = [text for text in texts if tag in text]
        assert len(mine) == 1 and "one &lt;b&gt; &amp;" in mine[0] and "<p>" in mine[0]
        assert not any("followers only" in text or "behind" in text for text in texts)
        if path.startswith("/@"):
            assert texts[0] == "a warning & more"
            assert fetch(server, address, **{"If-None-Match": answer.headers["ETag"]}).status_code == 304
            assert b"followers only" not in ann.request("GET", address).body
    assert fetch(server, f"/@no_such_person_/feed.{kind}").status_code == 404
