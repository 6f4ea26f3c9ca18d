"""Lines of mastodon-api.md that no other test asks for: how clients spell things, and words that they look for."""

import datetime

import pytest
import requests

from api_client import Api, app_token
from retwis_browser import PASSWORD
from retwis_server import Browser


@pytest.fixture(scope="module")
def alice(push_server):
    """Somebody with a token for everything."""
    return Api.sign_up(push_server, "contract_alice")


def send(person, method, path, **more):
    """A request with the person's token, as it is."""
    return requests.request(method, person.server.url + path, headers={"Authorization": f"Bearer {person.token}"}, timeout=60, **more)


def test_spellings(alice, push_server):
    """Section 0, 5 to 7: yes and no, arrays and single values, names in names, values that come twice, a body with DELETE."""
    bob = Api.sign_up(push_server, "contract_bob")
    for word in ("true", "True", "TRUE", "1", "on"):
        assert send(alice, "POST", "/api/v1/statuses", data={"status": f"yes {word}", "sensitive": word}).json()["sensitive"] is True, word
    for word in ("false", "False", "0", "off"):
        assert send(alice, "POST", "/api/v1/statuses", data={"status": f"no {word}", "sensitive": word}).json()["sensitive"] is False, word
    for query in (f"id={bob.id}", f"id[]={bob.id}", f"id%5B%5D={bob.id}"):
        assert [r["id"] for r in send(alice, "GET", f"/api/v1/accounts/relationships?{query}").json()] == [bob.id], query
    both = send(alice, "GET", f"/api/v1/accounts/relationships?id[]={bob.id}&id[]=1&id[]=x&id[]={alice.id}").json()
    assert [r["id"] for r in both] == [bob.id, alice.id], "in the order of the request, without those that are not there"
    own = send(alice, "PATCH", "/api/v1/accounts/update_credentials", data={
        "source[privacy]": "unlisted", "source[language]": "es", "fields_attributes[0][name]": "N", "fields_attributes[0][value]": "V"}).json()
    assert (own["source"]["privacy"], own["source"]["language"]) == ("unlisted", "es")
    assert [(f["name"], f["value"]) for f in own["source"]["fields"]] == [("N", "V")]
    assert len(send(alice, "GET", "/api/v1/timelines/home?limit=5&limit=2").json()) == 2
    send(alice, "POST", f"/api/v1/accounts/{bob.id}/follow", data={"reblogs": "1", "notify": "0"})
    of = f"/api/v1/lists/{alice.post('/api/v1/lists', title='contract')['id']}/accounts"
    for body in ({"data": {"account_ids[]": bob.id}}, {"json": {"account_ids": [bob.id]}}):
        assert send(alice, "POST", of, **body).json() == {} and len(alice.get(of)) == 1
        assert send(alice, "DELETE", of, **body).json() == {} and alice.get(of) == []


def test_ids_and_dates(alice):
    """Section 0, 1: an id made of a time as Mastodon.py makes it lies where it should; dates have three digits and Z."""
    status = alice.post("/api/v1/statuses", status="when?")
    made = datetime.datetime.strptime(status["created_at"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    assert status["created_at"][-5] == "." and status["id"].isdigit() and len(status["id"]) == 18
    second = int(made.timestamp())
    older, newer = ((second + n << 16) * 1000 for n in (-1, 2))
    assert older < int(status["id"]) < newer
    assert status["id"] in [s["id"] for s in alice.get(f"/api/v1/timelines/home?min_id={older}&max_id={newer}")]
    fresh = alice.get("/api/v1/accounts/verify_credentials")
    assert fresh["acct"] == fresh["username"] and fresh["display_name"] == ""


def test_words_of_errors(alice, push_server):
    """Section 2: the words that clients look for."""
    said = requests.get(alice.server.url + "/api/v1/timelines/home", timeout=60)
    assert (said.status_code, said.json()["error"]) == (401, "This API requires an authenticated user")
    said = requests.get(alice.server.url + "/api/v1/timelines/home", headers={"Authorization": "Bearer x"}, timeout=60)
    assert (said.status_code, said.json()["error"]) == (401, "The access token is invalid")
    own = {"Authorization": f"Bearer {app_token(push_server)}"}
    said = requests.get(alice.server.url + "/api/v1/timelines/home", headers=own, timeout=60)
    assert (said.status_code, said.json()["error"]) == (422, "This method requires an authenticated user")
    for path in ("/api/v1/statuses/0", "/api/v1/statuses/x", "/api/v1/accounts/x", "/api/v1/tags/%20", "/api/v1/nothing", "/api/v1/media/1",
                 "/api/v1/polls/1", "/api/v1/push/subscription", "/api/v1/scheduled_statuses"):
        said = send(alice, "GET", path)
        assert (said.status_code, said.json()["error"]) == (404, "Record not found"), path
    said = send(alice, "POST", f"/api/v1/accounts/{alice.id}/follow")
    assert (said.status_code, said.json()["error"]) == (403, "This action is not allowed")
    for wish in ({"media_ids[]": "1"}, {"poll[options][]": "a"}, {"scheduled_at": "2030-01-01T00:00:00Z"}):
        said = send(alice, "POST", "/api/v1/statuses", data={"status": "x", **wish})
        assert said.status_code == 422 and said.json()["error"].startswith("Validation failed: "), wish
    for without in ({"media_ids": [], "media_attributes": [], "spoiler_text": ""}, {"media_ids": None, "poll": None, "scheduled_at": None}):
        assert send(alice, "POST", "/api/v1/statuses", json={"status": "as Tusky says it", **without}).status_code == 200, without


def test_what_is_not_here_is_not_promised(alice):
    """Pictures, polls, translation: the instance documents offer none; remote timelines are empty; nodeinfo says whose API it is."""
    old, new = alice.get("/api/v1/instance"), alice.get("/api/v2/instance")
    for document in (old["configuration"], new["configuration"]):
        assert document["statuses"]["max_media_attachments"] == 0 and document["media_attachments"]["supported_mime_types"] == []
        assert document["polls"]["max_options"] == 0
    assert new["configuration"]["translation"]["enabled"] is False and old["urls"]["streaming_api"].startswith("ws")
    assert old["version"] == new["version"] and old["version"].split()[0].count(".") == 2 and "+" not in old["version"]
    assert alice.get("/api/v1/timelines/public?remote=true") == [] and alice.get("/api/v1/timelines/public?only_media=true") == []
    assert alice.get("/nodeinfo/2.0")["metadata"]["upstream"]["name"] == "mastodon"


def test_tokens_are_not_kept(alice, push_server):
    """Section 3: no answer with a token is kept by anybody; scopes beyond the application's are refused; a token that was ended may
    be ended again; the question stands with a slash behind it, in the language that is asked for."""
    app = requests.post(alice.server.url + "/api/v1/apps", json={"client_name": "c", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read"},
                        timeout=60)
    client = {key: app.json()[key] for key in ("client_id", "client_secret")}
    grant = {**client, "grant_type": "password", "username": "contract_alice", "password": PASSWORD}
    token = requests.post(alice.server.url + "/oauth/token", data={**grant, "scope": "read"}, timeout=60)
    assert app.headers["Cache-Control"] == token.headers["Cache-Control"] == "no-store" and "expires_in" not in token.json()
    for scope in ("write", "read write", "follow", "nothing"):
        said = requests.post(alice.server.url + "/oauth/token", data={**grant, "scope": scope}, timeout=60)
        assert (said.status_code, said.json()["error"]) == (400, "invalid_scope") and said.headers["Cache-Control"] == "no-store", scope
    for _ in range(2):
        said = requests.post(alice.server.url + "/oauth/revoke", data={**client, "token": token.json()["access_token"]}, timeout=60)
        assert (said.status_code, said.json()) == (200, {})
    question = f"?response_type=code&redirect_uri=urn:ietf:wg:oauth:2.0:oob&scope=read&lang=es&client_id={client['client_id']}"
    assert "<html lang=es>" in Browser(push_server).get(f"/oauth/authorize/{question}").text
