"""Posts by the API, what goes beyond writing them: sensitive ones."""

import pytest

from api_client import Api
from api_entities import check

STATUSES = "/api/v1/statuses"


@pytest.fixture(scope="module")
def people(push_server):
    """Two who know each other's names."""
    return [Api.sign_up(push_server, name) for name in ("posts_alice", "posts_bob")]


def test_sensitive(people):
    """Kept with the post, in each version of it, and by everybody's posts who prefers so; the pages show the words, and lose nothing."""
    alice, bob = people
    post = check(alice.post(STATUSES, status="a picture of a spider", sensitive=True, spoiler_text=""), "Status+")
    path = f"{STATUSES}/{post['id']}"
    assert post["sensitive"] is True and post["spoiler_text"] == "" and bob.get(path)["sensitive"] is True
    assert alice.form("POST", STATUSES, status="two", sensitive="0")["sensitive"] is False
    assert alice.post(STATUSES, status="three", sensitive=False, spoiler_text="why")["sensitive"] is True  # a warning says so too
    assert bob.post(f"{path}/reblog")["sensitive"] is True and bob.post(f"{path}/unreblog")["sensitive"] is True
    shown = bob.browser.get(f"/@posts_alice/{post['id']}")
    assert "a picture of a spider" in shown.text and not shown.all("details.warned")

    def sensitive():
        return [v["sensitive"] for v in check(bob.get(f"{path}/history"), ["StatusEdit"])]
    assert sensitive() == [True]
    assert alice.put(path, status="a spider")["sensitive"] is True  # what is not said stays
    alice.browser.action(f"/posts/{post['id']}/edit", status="a large spider")  # the pages do not ask
    assert sensitive() == [True, True, True]
    edited = alice.put(path, status="a large spider", sensitive="false")["edited_at"]
    assert sensitive() == [True, True, True, False] and alice.get(path)["sensitive"] is False
    assert alice.put(path, status="a large spider", sensitive=0)["edited_at"] == edited  # nothing has changed
    assert alice.put(path, status="a large spider", sensitive=1)["sensitive"] and sensitive() == [True, True, True, False, True]
    alice.put(path, status="a large spider", sensitive=0, spoiler_text="legs")
    assert alice.put(path, status="a large spider", spoiler_text="")["sensitive"] is False  # the warning said so, nobody else
    assert sensitive()[-2:] == [True, False]
    [first, second] = [alice.ask("POST", STATUSES, json={"status": "once", "sensitive": on}, headers={"Idempotency-Key": "s"}).json for on in (False, True)]
    assert first["id"] != second["id"] and second["sensitive"]  # another post is meant


def test_sensitive_as_one_prefers(people):
    """By the account's source, by the page of preferences; what is said of a post counts."""
    bob = people[1]
    assert bob.get("/api/v1/preferences")["posting:default:sensitive"] is False
    own = bob.patch("/api/v1/accounts/update_credentials", source={"sensitive": True})
    assert own["source"]["sensitive"] is True and own["source"]["privacy"] == "public"
    assert bob.get("/api/v1/preferences")["posting:default:sensitive"] is True
    assert bob.post(STATUSES, status="mine")["sensitive"] is True and bob.post(STATUSES, status="mine", sensitive=False)["sensitive"] is False
    by_page = bob.browser.action("/posts", status="by the page", visibility="public")
    assert bob.get(f"{STATUSES}/{by_page.statuses[0].id}")["sensitive"] is True
    assert bob.patch("/api/v1/accounts/update_credentials", display_name="Bob")["source"]["sensitive"] is True
    form = bob.browser.get("/settings/preferences").form("/settings/preferences")
    assert form.values["sensitive"] == "yes"
    bob.browser.submit(form, sensitive="no")
    assert bob.post(STATUSES, status="mine")["sensitive"] is False
