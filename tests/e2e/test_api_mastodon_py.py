"""Mastodon.py, as Debian ships it, against the server: its calls, its paging, its errors, with its checks of versions on."""

import datetime
import os

import pytest
from mastodon import Mastodon, MastodonAPIError, MastodonNotFoundError, MastodonUnauthorizedError

from api_contract import NOT_YET, needs
from retwis_browser import PASSWORD, Browser
from retwis_process import wait_until

SCOPES = ["read", "write", "follow", "push"]
pytestmark = needs("POST /api/v1/apps", "GET /api/v1/accounts/verify_credentials", "POST /api/v1/accounts/:x/follow")


@pytest.fixture(scope="module")
def app(push_server):
    """An application, as Mastodon.py registers it."""
    return Mastodon.create_app("retwis tests", scopes=SCOPES, api_base_url=push_server.url)


@pytest.fixture(scope="module")
def crowd(push_server, app):
    """Three people logged in by their passwords, each with `.me`."""
    made = []
    for stem in ("pyalice", "pybob", "pycarol"):
        name = f"{stem}_{os.getpid()}"
        Browser(push_server).sign_up(name)
        client = Mastodon(client_id=app[0], client_secret=app[1], api_base_url=push_server.url)
        client.log_in(name, PASSWORD, scopes=SCOPES)
        client.person = client.me()
        made.append(client)
    return made


def plain_ids(entries):
    """As text: Mastodon.py makes numbers of ids."""
    return [str(entry.id) for entry in entries]


def walk(client, page, back=False):
    """All pages from this one on."""
    found = []
    while page:
        found.append(plain_ids(page))
        assert len(found) < 50
        page = client.fetch_previous(page) if back else client.fetch_next(page)
    return found


def pages_both_ways(client, ask):
    """A list in pages of two, to its end and back to its beginning, and in one piece: always the same."""
    whole = plain_ids(ask(limit=40))
    there = walk(client, ask(limit=2))
    assert [i for page in there for i in page] == whole and all(len(page) == 2 for page in there[:-1]), there
    assert plain_ids(client.fetch_remaining(ask(limit=2))) == whole
    page, last = ask(limit=2), None
    while page:
        page, last = client.fetch_next(page), page
    back = walk(client, last, back=True)
    assert [i for page in reversed(back) for i in page] == whole, (back, whole)
    return whole


def test_log_in(push_server, app, crowd):
    """The password grant, a wrong one, the address to sign in at, verify_credentials, what was granted, and revoking."""
    alice = crowd[0]
    assert alice.person.username.startswith("pyalice") and alice.person.acct == alice.person.username
    assert alice.app_verify_credentials().name == "retwis tests"
    assert isinstance(alice.person.created_at, datetime.datetime) and alice.person.source.privacy == "public"
    with pytest.raises(Exception, match="[Ii]nvalid|Could not"):
        Mastodon(client_id=app[0], client_secret=app[1], api_base_url=push_server.url).log_in(alice.person.username, "wrong password", scopes=SCOPES)
    url = alice.auth_request_url(scopes=SCOPES)
    assert url.startswith(f"{push_server.url}/oauth/authorize?")
    other = Mastodon(client_id=app[0], client_secret=app[1], api_base_url=push_server.url)
    token = other.log_in(alice.person.username, PASSWORD, scopes=["read"])
    assert other.me().id == alice.person.id
    with pytest.raises(MastodonAPIError, match="outside the authorized scopes"):
        other.status_post("more than may be")
    other.revoke_access_token()
    with pytest.raises(MastodonUnauthorizedError):
        Mastodon(access_token=token, api_base_url=push_server.url).me()


def test_instance(push_server, crowd):
    """What a program asks first."""
    nobody = Mastodon(api_base_url=push_server.url)
    site = nobody.instance()
    assert site.uri == push_server.url.removeprefix("http://") and site.version.split()[0].count(".") == 2
    assert nobody.instance_nodeinfo().software.name == "retwis" and nobody.instance_health()
    assert nobody.custom_emojis() == [] and nobody.instance_rules() == [] and nobody.instance_peers() == []
    assert crowd[0].announcements() == [] and crowd[0].preferences()["posting:default:visibility"] == "public"


def test_posts(crowd):
    """Post, answer, edit, its source and history, context, delete; the replay of an Idempotency-Key."""
    alice, bob, _ = crowd
    first = alice.status_post("Hello from Mastodon.py\n\nwith <two> parts", visibility="unlisted", spoiler_text="why", sensitive=True, language="en")
    assert first.content == "<p>Hello from Mastodon.py</p><p>with &lt;two&gt; parts</p>" and first.visibility == "unlisted"
    assert first.spoiler_text == "why" and first.sensitive and first.account.id == alice.person.id
    once = alice.status_post("only once", idempotency_key="key of pyalice")
    assert alice.status_post("only once", idempotency_key="key of pyalice").id == once.id
    answer = bob.status_reply(first, "an answer")
    assert answer.in_reply_to_id == first.id and answer.in_reply_to_account_id == alice.person.id and answer.visibility == "unlisted"
    assert [m.username for m in answer.mentions] == [alice.person.username]
    again = alice.status_post("an answer to the answer", in_reply_to_id=answer)
    context = bob.status_context(answer)
    assert plain_ids(context.ancestors) == [str(first.id)] and plain_ids(context.descendants) == [str(again.id)]
    assert alice.status(first).replies_count == 1
    changed = alice.status_update(first, "Hello, edited")
    assert changed.content == "<p>Hello, edited</p>" and changed.edited_at and changed.id == first.id
    assert [edit.content for edit in alice.status_history(first)] == [first.content, changed.content]
    assert alice.status_source(first).text == "Hello, edited"
    alice.status_delete(first)
    with pytest.raises(MastodonNotFoundError):
        alice.status(first)
    with pytest.raises(MastodonNotFoundError):
        alice.status(0)
    with pytest.raises(MastodonAPIError, match="Validation failed"):
        alice.status_post("")


def test_reactions(crowd):
    """Favourite, boost, bookmark, pin, mute a conversation: the answer shows it at once, and so do the lists; then taken back."""
    alice, bob, _ = crowd
    post = alice.status_post("to be liked")
    assert bob.status_favourite(post).favourited and bob.status_favourite(post).favourites_count == 1
    assert plain_ids(bob.favourites())[0] == str(post.id) and plain_ids(alice.status_favourited_by(post)) == [str(bob.person.id)]
    boost = bob.status_reblog(post, visibility="unlisted")
    assert boost.reblog.id == post.id and boost.reblog.reblogged and boost.reblogged and boost.id != post.id and boost.visibility == "unlisted"
    assert bob.status_reblog(post).id == boost.id, "boosted once"
    assert plain_ids(alice.status_reblogged_by(post)) == [str(bob.person.id)]
    assert bob.status_bookmark(post).bookmarked and plain_ids(bob.bookmarks())[0] == str(post.id)
    assert alice.status_pin(post).pinned and plain_ids(bob.account_statuses(alice.person, pinned=True)) == [str(post.id)]
    assert alice.status_mute(post).muted and not alice.status_unmute(post).muted
    undone = bob.status_unreblog(post)
    assert undone.id == post.id and undone.reblog is None and not undone.reblogged and undone.reblogs_count == 0
    assert not bob.status_unfavourite(post).favourited and not bob.status_unbookmark(post).bookmarked
    assert not alice.status_unpin(post).pinned and bob.account_statuses(alice.person, pinned=True) == []
    assert str(post.id) not in plain_ids(bob.favourites()) + plain_ids(bob.bookmarks())
    with pytest.raises(MastodonAPIError):
        bob.status_pin(post)


def test_timelines(crowd):
    """Home, public, tag and list, to the end and back; what is not for somebody is not there."""
    alice, bob, carol = crowd
    alice.account_follow(bob.person)
    posts = [bob.status_post(f"timeline {n} #pytimeline") for n in range(7)]
    mine = [str(p.id) for p in reversed(posts)]
    wait_until(lambda: set(mine) <= set(plain_ids(alice.timeline_home(limit=40))), 10, "the posts are on the home timeline")
    pages_both_ways(alice, alice.timeline_home)
    assert pages_both_ways(carol, lambda limit: carol.timeline_hashtag("PyTimeline", limit=limit)) == mine
    assert pages_both_ways(alice, lambda limit: alice.account_statuses(bob.person, limit=limit))[:7] == mine
    assert plain_ids(carol.timeline_public(limit=7)) == mine == plain_ids(carol.timeline_local(limit=7))
    assert carol.timeline_public(remote=True) == [] and carol.timeline_public(only_media=True) == []
    assert plain_ids(alice.timeline_home(max_id=posts[3], limit=2)) == [mine[4], mine[5]]
    assert plain_ids(alice.timeline_home(min_id=posts[3], limit=2)) == [mine[1], mine[2]]
    assert plain_ids(alice.timeline_home(since_id=posts[3], limit=2)) == [mine[0], mine[1]]
    assert alice.timeline_home(since_id=posts[6]) == []
    assert len(alice.timeline_home(min_id=datetime.datetime(2020, 1, 1), limit=40)) >= 7, "an id of a moment"
    hidden = bob.status_post("only for followers", visibility="private")
    wait_until(lambda: str(hidden.id) in plain_ids(alice.timeline_home()), 10, "the private post is on the home timeline")
    with pytest.raises(MastodonNotFoundError):
        carol.status(hidden)
    assert str(hidden.id) not in plain_ids(carol.account_statuses(bob.person))
    with pytest.raises(MastodonAPIError):
        Mastodon(api_base_url=alice.api_base_url).timeline_home()


def test_lists(crowd):
    """A list from its beginning to its end; only people who are followed get on it."""
    alice, bob, carol = crowd
    alice.account_follow(bob.person)
    alice.account_unfollow(carol.person)
    made = alice.list_create("friends")
    assert made.title == "friends" and made.id in [one.id for one in alice.lists()]
    alice.list_accounts_add(made, [bob.person])
    assert plain_ids(alice.list_accounts(made)) == [str(bob.person.id)] and alice.account_lists(bob.person)[0].id == made.id
    with pytest.raises(MastodonAPIError):
        alice.list_accounts_add(made, [carol.person])
    post = bob.status_post("for the list")
    wait_until(lambda: str(post.id) in plain_ids(alice.timeline_list(made)), 10, "the post is on the list")
    pages_both_ways(alice, lambda limit: alice.timeline_list(made, limit=limit))
    assert alice.list_update(made, "dear friends").title == "dear friends" == alice.list(made).title
    with pytest.raises(MastodonNotFoundError):
        carol.list(made)
    alice.list_accounts_delete(made, [bob.person])
    assert alice.list_accounts(made) == []
    alice.list_delete(made)
    assert alice.lists() == []


def test_people(crowd):
    """Follow, block, mute and back; relationships; lookup, search; followers and blocks in pages."""
    alice, bob, carol = crowd
    assert bob.account_follow(alice.person).following and bob.account_follow(alice.person, reblogs=False).following
    carol.account_follow(alice.person)
    relations = alice.account_relationships([carol.person.id, bob.person.id])
    assert plain_ids(relations) == [str(carol.person.id), str(bob.person.id)] and all(r.followed_by for r in relations)
    assert alice.account_relationships(bob.person)[0].id == bob.person.id, "a single id"
    assert set(plain_ids(alice.account_followers(alice.person))) == {str(bob.person.id), str(carol.person.id)}
    assert len(walk(alice, alice.account_followers(alice.person, limit=1))) == 2
    assert str(alice.person.id) in plain_ids(bob.account_following(bob.person))
    assert alice.account_block(bob.person).blocking and plain_ids(alice.blocks()) == [str(bob.person.id)]
    assert not alice.account_relationships(bob.person)[0].followed_by
    assert not alice.account_unblock(bob.person).blocking and alice.blocks() == []
    muted = alice.account_mute(carol.person, notifications=False)
    assert muted.muting and not muted.muting_notifications and plain_ids(alice.mutes()) == [str(carol.person.id)]
    assert not alice.account_unmute(carol.person).muting and alice.mutes() == []
    kept = bob.account_follow(alice.person, reblogs=False, notify=True)
    assert kept.following and not kept.showing_reblogs and kept.notifying
    assert bob.account_pin(alice.person).endorsed and plain_ids(bob.endorsements()) == [str(alice.person.id)]
    assert not bob.account_unpin(alice.person).endorsed and bob.endorsements() == []
    assert bob.account_note_set(alice.person, "a friend").note == "a friend" == bob.account_relationships(alice.person)[0].note
    assert not carol.account_unfollow(alice.person).following and not carol.account_unfollow(alice.person).following
    assert alice.account_lookup(bob.person.acct).id == bob.person.id == alice.account(bob.person).id
    if "GET /api/v1/accounts/search" not in NOT_YET:
        assert plain_ids(alice.account_search(bob.person.username)) == [str(bob.person.id)]
    changed = alice.account_update_credentials(display_name="Alice of Python", note="She is *here*", fields=[("pronouns", "she")], bot=True, discoverable=False)
    assert changed.display_name == "Alice of Python" and changed.source.note == "She is *here*" and changed.fields[0].value == "she"
    assert changed.bot and not changed.discoverable
    with pytest.raises(MastodonNotFoundError):
        alice.account(1)


def test_locked(crowd):
    """Who asks to follow somebody who decides: authorized once, rejected once."""
    alice, bob, carol = crowd
    alice.account_unfollow(carol.person)
    carol.account_update_credentials(locked=True)
    for decide, follows in ((carol.follow_request_reject, False), (carol.follow_request_authorize, True)):
        asked = alice.account_follow(carol.person)
        assert asked.requested and not asked.following
        assert plain_ids(carol.follow_requests()) == [str(alice.person.id)]
        decide(alice.person)
        assert alice.account_relationships(carol.person)[0].following is follows and carol.follow_requests() == []
    carol.account_update_credentials(locked=False)
    alice.account_unfollow(carol.person)
    assert bob.follow_requests() == []


def test_conversations(crowd):
    """Direct posts by conversation, to the end and back, and read."""
    alice, bob, carol = crowd
    said = [bob.status_post(f"@{alice.person.username} psst {n}", visibility="direct") for n in range(3)]
    both = carol.status_post(f"@{alice.person.username} @{bob.person.username} psst", visibility="direct")
    found = alice.conversations(limit=4)
    assert [c.last_status.id for c in found] == [both.id, *(post.id for post in reversed(said))] and all(c.unread for c in found)
    assert {a.id for a in found[0].accounts} == {bob.person.id, carol.person.id}
    assert alice.conversations_read(found[0].id).unread is False
    assert [c.unread for c in alice.conversations(limit=2)] == [False, True]
    first = alice.conversations(limit=2)
    older = alice.fetch_next(first)
    assert [c.last_status.id for c in older[:2]] == [said[1].id, said[0].id]
    assert [c.id for c in alice.fetch_previous(older)] == [c.id for c in first]


def test_notifications(crowd):
    """Each kind with its post; by kind and person; one of them, dismissed; all cleared."""
    alice, bob, carol = crowd
    alice.notifications_clear()
    post = alice.status_post("to be noticed")
    alice.account_unblock(bob.person)
    bob.account_unfollow(alice.person)
    bob.account_follow(alice.person)
    bob.status_favourite(post)
    bob.status_reblog(post)
    mention = carol.status_post(f"@{alice.person.username} hello")
    wait_until(lambda: {n.type for n in alice.notifications()} >= {"follow", "favourite", "reblog", "mention"}, 10, "all notices came")
    seen = alice.notifications()
    by_type = {n.type: n for n in seen}
    assert by_type["favourite"].status.id == by_type["reblog"].status.id == post.id, "the recipient's own post"
    assert by_type["mention"].status.id == mention.id and by_type["mention"].account.id == carol.person.id
    assert "status" not in by_type["follow"] or by_type["follow"].status is None
    assert [n.type for n in alice.notifications(types=["mention"])] == ["mention"]
    assert "mention" not in [n.type for n in alice.notifications(exclude_types=["mention"])]
    assert {n.account.id for n in alice.notifications(account_id=carol.person)} == {carol.person.id}
    pages_both_ways(alice, alice.notifications)
    one = by_type["mention"]
    assert alice.notifications(one).id == one.id
    alice.notifications_dismiss(one)
    assert one.id not in [n.id for n in alice.notifications()]
    alice.notifications_clear()
    assert alice.notifications() == []


@needs("POST /api/v1/markers")
def test_markers(crowd):
    """What was read last, by timeline."""
    alice = crowd[0]
    post = alice.status_post("read up to here")
    marks = alice.markers_set(["home", "notifications"], [post.id, 23])
    assert str(marks.home.last_read_id) == str(post.id) == str(alice.markers_get("home").home.last_read_id)
    assert str(alice.markers_get(["home", "notifications"]).notifications.last_read_id) == "23"


@needs("POST /api/v1/filters")
def test_filters(crowd):
    """A filter from its beginning to its end."""
    alice, bob, _ = crowd
    made = alice.filter_create("pyfiltered", ["home", "public"], whole_word=True)
    assert made.phrase == "pyfiltered" and set(made.context) == {"home", "public"} and made.whole_word and made.expires_at is None
    assert alice.filter(made).id == made.id and [f.phrase for f in alice.filters()] == ["pyfiltered"]
    changed = alice.filter_update(made, phrase="pychanged", expires_in=3600)
    assert changed.phrase == "pychanged" and changed.expires_at is not None
    with pytest.raises(MastodonNotFoundError):
        bob.filter(made)
    alice.filter_delete(made)
    assert alice.filters() == []


def test_search(crowd):
    """People by every form of their name, tags, posts, and a post by its address."""
    alice, bob, _ = crowd
    name = bob.person.username
    host = alice.api_base_url.removeprefix("http://")
    for words in (name, f"@{name}", name.upper(), f"{name}@{host}", f"@{name}@{host}"):
        assert plain_ids(alice.search(words, result_type="accounts").accounts) == [str(bob.person.id)], words
    post = bob.status_post("an uncommonly findable #pysearching word")
    found = wait_until(lambda: (got := alice.search("uncommonly", result_type="statuses")).statuses and got, 10, "the post is found")
    assert plain_ids(found.statuses) == [str(post.id)] and found.accounts == [] and found.hashtags == []
    assert [t.name for t in alice.search("#pysearching", result_type="hashtags").hashtags] == ["pysearching"]
    assert plain_ids(alice.search(post.url).statuses) == [str(post.id)]
    assert alice.search(name, result_type="accounts", offset=1).accounts == []
    assert isinstance(alice.trending_tags(), list) and isinstance(alice.trending_statuses(), list) and alice.trending_links() == []
