"""Featured tags: those that people show on their profiles."""

import datetime

from mastodon import Mastodon

from api_client import Api, ids
from api_entities import check
from retwis_process import wait_until

OWN = "/api/v1/featured_tags"


def named(tags):
    """Name and number of each."""
    return [(tag["name"], tag["statuses_count"]) for tag in tags]


def write(who, text, **more):
    return who.post("/api/v1/statuses", status=text, **more)["id"]


def test_featured_tags(server, unique):
    """What one puts on one's profile, as everybody sees it, with what counts; what is suggested; ten at most; gone with the account."""
    bob, other = [Api.sign_up(server, unique(stem)) for stem in ("bob", "other")]
    nobody, shown = Api(server), f"/api/v1/accounts/{bob.id}/featured_tags"
    py = Mastodon(access_token=bob.token, api_base_url=server.url)
    assert py.featured_tags() == [] == nobody.get(shown) and nobody.get("/api/v1/instance")["configuration"]["accounts"]["max_featured_tags"] == 10
    write(bob, "#Tea and #rain")
    write(bob, "#tea once more", visibility="unlisted")
    write(bob, "#tea for friends, #secret", visibility="private")
    write(bob, f"@{other.name} #tea for one", visibility="direct")
    other.post(f"/api/v1/statuses/{write(bob, 'plain, and #rain')}/reblog")
    bob.post(f"/api/v1/statuses/{write(other, '#tea of another')}/reblog")
    assert [tag.name for tag in py.featured_tag_suggestions()] == ["rain", "tea"]
    check(bob.get(f"{OWN}/suggestions"), ["Tag"])
    empty = py.featured_tag_create("Empty")
    assert empty.name == "empty" and str(empty.statuses_count) == "0" and empty.last_status_at is None
    tea = check(bob.post(OWN, name="#TEA"), "FeaturedTag")
    assert named([tea]) == [("tea", "2")] and tea["url"].endswith("/tags/tea")
    assert tea["last_status_at"] in {str((datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=m)).date()) for m in (0, 30)}
    assert bob.post(OWN, name="tea") == tea, "it is there already"
    assert [tag.name for tag in py.featured_tag_suggestions()] == ["rain"]
    for reader, path in ((bob, OWN), (nobody, shown), (other, shown)):
        assert named(check(reader.get(path), ["FeaturedTag"])) == [("tea", "2"), ("empty", "0")]
    assert other.get(OWN) == []
    for word in ("", "two words", "#"):
        assert bob.post(OWN, name=word, expect=422)["error"] == "Validation failed: Tag is invalid"
    bob.post(OWN, expect=422)
    for number in range(8):
        bob.post(OWN, name=f"tag{number}")
    assert "maximum" in bob.post(OWN, name="eleven", expect=422)["error"]
    other.delete(f"{OWN}/{tea['id']}", expect=404)
    py.featured_tag_delete(tea["id"])
    for gone in (tea["id"], 7, "x", "9" * 30):
        bob.delete(f"{OWN}/{gone}", expect=404)
    assert len(bob.get(OWN)) == 9 and "tea" not in dict(named(nobody.get(shown)))
    nobody.get(f"/api/v1/accounts/{int(bob.id) + 1}/featured_tags", expect=404)
    bob.post(f"/api/v1/accounts/{other.id}/block")
    wait_until(lambda: other.get(shown) == [], 10, "the block")
    assert len(nobody.get(shown)) == 9
    server.cli("user", "delete", bob.name, "--yes")
    nobody.get(shown, expect=404)
    with server.engine() as engine:
        wait_until(lambda: not engine.keys(f"*:featured:{bob.id}"), 10, "the clean-up")


def test_who_may(server, unique):
    """Tokens that may do something else may not; who is not signed in has none of his own."""
    bob = Api.sign_up(server, unique("bob"))
    reads, writes = [Api.of(server, bob.name, f"{scope} write:statuses") for scope in ("read:accounts", "write:accounts")]
    made = writes.post(OWN, name="tea")["id"]
    assert ids(reads.get(OWN)) == [made]
    reads.post(OWN, name="rain", expect=403)
    reads.delete(f"{OWN}/{made}", expect=403)
    writes.get(OWN, expect=403)
    writes.get(f"{OWN}/suggestions", expect=403)
    Api(server).get(OWN, expect=401)
    Api(server).post(OWN, name="tea", expect=401)
