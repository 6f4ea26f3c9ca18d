"""Every address of the API: who may, which scope is enough, what comes back, which parameters it knows, and what a right request is.

Tests walk over this table and over `retwis routes`: an address that stands in one of them alone is a mistake, but for those of
NOT_YET, which are promised and not there. Whoever adds an address takes it off that list, or adds a row.
"""

import dataclasses
import re

import pytest

# Methods, path, who, scopes (any is enough), the answer's type (api_entities.py; "*" anything, "{}" an empty object), parameters.
# "paging" is max_id since_id min_id limit, "links" the same of lists whose cursors only Link tells. A number is the most for limit.
_TABLE = """
GET    /api/v1/instance                          anyone -                   V1_Instance
GET    /api/v2/instance                          anyone -                   Instance
GET    /api/v1/instance/rules                    anyone -                   [*]
GET    /api/v1/instance/extended_description     anyone -                   *
GET    /api/v1/instance/languages                anyone -                   [*]
GET    /api/v1/instance/peers                    anyone -                   [*]
GET    /api/v1/instance/activity                 anyone -                   [*]
GET    /api/v1/custom_emojis                     anyone -                   [*]
GET    /api/v1/announcements                     user   -                   [*]
POST   /api/v1/apps                              anyone -                   CredentialApplication  client_name redirect_uris scopes website
GET    /api/v1/apps/verify_credentials           token  -                   Application
POST   /api/v1/accounts                          app    write:accounts      Token            username email password agreement locale reason
GET    /api/v1/accounts/verify_credentials       user   read:accounts,profile CredentialAccount
PATCH  /api/v1/accounts/update_credentials       user   write:accounts      CredentialAccount display_name note locked bot discoverable indexable hide_collections
GET    /api/v1/accounts                          anyone read:accounts       [Account]        id
GET    /api/v1/accounts/:id                      anyone read:accounts       Account
GET    /api/v1/accounts/lookup                   anyone read:accounts       Account          acct
GET    /api/v1/accounts/relationships            user   read:follows        [Relationship]   id with_suspended
GET    /api/v1/accounts/familiar_followers       user   read:follows        [*]              id
GET    /api/v1/accounts/search                   user   read:accounts       [Account]        q limit/80 resolve following offset
GET    /api/v1/accounts/:id/statuses             anyone read:statuses       [Status]         paging/40 exclude_replies exclude_reblogs only_media pinned tagged
GET    /api/v1/accounts/:id/followers            anyone read:accounts       [Account]        links/80
GET    /api/v1/accounts/:id/following            anyone read:accounts       [Account]        links/80
GET    /api/v1/accounts/:id/lists                user   read:lists          [List]
GET    /api/v1/accounts/:id/featured_tags        anyone read:accounts       [FeaturedTag]
GET    /api/v1/featured_tags                     user   read:accounts       [FeaturedTag]
POST   /api/v1/featured_tags                     user   write:accounts      FeaturedTag      name
GET    /api/v1/featured_tags/suggestions         user   read:accounts       [Tag]
DELETE /api/v1/featured_tags/:id                 user   write:accounts      {}
POST   /api/v1/accounts/:id/follow               user   write:follows       Relationship     reblogs notify languages
POST   /api/v1/accounts/:id/unfollow             user   write:follows       Relationship
POST   /api/v1/accounts/:id/remove_from_followers user  write:follows       Relationship
POST   /api/v1/accounts/:id/block                user   write:blocks        Relationship
POST   /api/v1/accounts/:id/unblock              user   write:blocks        Relationship
POST   /api/v1/accounts/:id/mute                 user   write:mutes         Relationship     notifications duration
POST   /api/v1/accounts/:id/unmute               user   write:mutes         Relationship
POST   /api/v1/accounts/:id/note                 user   write:accounts      Relationship     comment
POST   /api/v1/accounts/:id/pin                  user   write:accounts      Relationship
POST   /api/v1/accounts/:id/unpin                user   write:accounts      Relationship
POST   /api/v1/accounts/:id/endorse              user   write:accounts      Relationship
POST   /api/v1/accounts/:id/unendorse            user   write:accounts      Relationship
GET    /api/v1/accounts/:id/endorsements         anyone read:accounts       [Account]        links/80
GET    /api/v1/endorsements                      user   read:accounts       [Account]        links/80
GET    /api/v1/blocks                            user   read:blocks         [Account]        links/80
GET    /api/v1/mutes                             user   read:mutes          [Account]        links/80
GET    /api/v1/follow_requests                   user   read:follows        [Account]        links/80
POST   /api/v1/follow_requests/:id/authorize     user   write:follows       Relationship
POST   /api/v1/follow_requests/:id/reject        user   write:follows       Relationship
GET    /api/v1/preferences                       user   read:accounts       *
GET    /api/v1/suggestions                       user   read:accounts       [Account]        limit/80
GET    /api/v2/suggestions                       user   read:accounts       [*]              limit/80
DELETE /api/v1/suggestions/:id                   user   write:accounts      {}
GET    /api/v1/directory                         anyone -                   [Account]        limit/80 offset order local
GET    /api/v1/timelines/home                    user   read:statuses       [Status+]        paging/40
GET    /api/v1/timelines/public                  anyone read:statuses       [Status]         paging/40 local remote only_media
GET    /api/v1/timelines/tag/:tag                anyone read:statuses       [Status]         paging/40 any all none local only_media
GET    /api/v1/timelines/list/:id                user   read:lists          [Status+]        paging/40
POST   /api/v1/statuses                          user   write:statuses      Status+          status in_reply_to_id visibility sensitive spoiler_text language
GET    /api/v1/statuses                          anyone read:statuses       [Status]         id
GET    /api/v1/statuses/:id                      anyone read:statuses       Status
PUT    /api/v1/statuses/:id                      user   write:statuses      Status+          status spoiler_text sensitive language
DELETE /api/v1/statuses/:id                      user   write:statuses      Status+          delete_media
GET    /api/v1/statuses/:id/context              anyone read:statuses       Context
GET    /api/v1/statuses/:id/source               user   read:statuses       StatusSource
GET    /api/v1/statuses/:id/history              anyone read:statuses       [StatusEdit]
GET    /api/v1/statuses/:id/favourited_by        anyone read:accounts       [Account]        links/80
GET    /api/v1/statuses/:id/reblogged_by         anyone read:accounts       [Account]        links/80
POST   /api/v1/statuses/:id/favourite            user   write:favourites    Status+
POST   /api/v1/statuses/:id/unfavourite          user   write:favourites    Status+
POST   /api/v1/statuses/:id/reblog               user   write:statuses      Status+          visibility
POST   /api/v1/statuses/:id/unreblog             user   write:statuses      Status+
POST   /api/v1/statuses/:id/bookmark             user   write:bookmarks     Status+
POST   /api/v1/statuses/:id/unbookmark           user   write:bookmarks     Status+
POST   /api/v1/statuses/:id/pin                  user   write:accounts      Status+
POST   /api/v1/statuses/:id/unpin                user   write:accounts      Status+
POST   /api/v1/statuses/:id/mute                 user   write:mutes         Status+
POST   /api/v1/statuses/:id/unmute               user   write:mutes         Status+
GET    /api/v1/favourites                        user   read:favourites     [Status+]        links/40
GET    /api/v1/bookmarks                         user   read:bookmarks      [Status+]        links/40
GET    /api/v1/conversations                     user   read:statuses       [Conversation]   links/40
POST   /api/v1/conversations/:id/read            user   write:conversations Conversation
POST   /api/v1/conversations/:id/unread          user   write:conversations Conversation
DELETE /api/v1/conversations/:id                 user   write:conversations {}
GET    /api/v2/search                            anyone read:search         Search           q type resolve limit/40 offset following min_id max_id account_id exclude_unreviewed
GET    /api/v1/trends                            anyone -                   [Tag]            limit/20 offset
GET    /api/v1/trends/tags                       anyone -                   [Tag]            limit/20 offset
GET    /api/v1/trends/statuses                   anyone -                   [Status]         limit/40 offset
GET    /api/v1/trends/links                      anyone -                   [*]              limit/20 offset
GET    /api/v1/tags/:name                        anyone -                   Tag
POST   /api/v1/tags/:name/follow                 user   write:follows       Tag
POST   /api/v1/tags/:name/unfollow               user   write:follows       Tag
GET    /api/v1/followed_tags                     user   read:follows        [Tag]            links/200
GET    /api/v1/lists                             user   read:lists          [List]
POST   /api/v1/lists                             user   write:lists         List             title replies_policy exclusive
GET    /api/v1/lists/:id                         user   read:lists          List
PUT    /api/v1/lists/:id                         user   write:lists         List             title replies_policy exclusive
DELETE /api/v1/lists/:id                         user   write:lists         {}
GET    /api/v1/lists/:id/accounts                user   read:lists          [Account]        links/80
POST   /api/v1/lists/:id/accounts                user   write:lists         {}               account_ids
DELETE /api/v1/lists/:id/accounts                user   write:lists         {}               account_ids
GET    /api/v1/filters                           user   read:filters        [V1_Filter]
POST   /api/v1/filters                           user   write:filters       V1_Filter        phrase context irreversible whole_word expires_in
GET    /api/v1/filters/:id                       user   read:filters        V1_Filter
PUT    /api/v1/filters/:id                       user   write:filters       V1_Filter        phrase context irreversible whole_word expires_in
DELETE /api/v1/filters/:id                       user   write:filters       {}
GET    /api/v2/filters                           user   read:filters        [Filter]
POST   /api/v2/filters                           user   write:filters       Filter           title context filter_action expires_in
GET    /api/v2/filters/:id                       user   read:filters        Filter
PUT    /api/v2/filters/:id                       user   write:filters       Filter           title context filter_action expires_in
DELETE /api/v2/filters/:id                       user   write:filters       {}
GET    /api/v2/filters/:id/keywords              user   read:filters        [FilterKeyword]
POST   /api/v2/filters/:id/keywords              user   write:filters       FilterKeyword    keyword whole_word
GET    /api/v2/filters/keywords/:id              user   read:filters        FilterKeyword
PUT    /api/v2/filters/keywords/:id              user   write:filters       FilterKeyword    keyword whole_word
DELETE /api/v2/filters/keywords/:id              user   write:filters       {}
GET    /api/v2/filters/:id/statuses              user   read:filters        [FilterStatus]
POST   /api/v2/filters/:id/statuses              user   write:filters       FilterStatus     status_id
GET    /api/v2/filters/statuses/:id              user   read:filters        FilterStatus
DELETE /api/v2/filters/statuses/:id              user   write:filters       {}
GET    /api/v1/markers                           user   read:statuses       *                timeline
POST   /api/v1/markers                           user   write:statuses      *
GET    /api/v1/notifications                     user   read:notifications  [Notification]   paging/80 types exclude_types account_id
GET    /api/v1/notifications/unread_count        user   read:notifications  *                limit types exclude_types
GET    /api/v1/notifications/:id                 user   read:notifications  Notification
POST   /api/v1/notifications/:id/dismiss         user   write:notifications {}
POST   /api/v1/notifications/clear               user   write:notifications {}
GET    /api/v2/notifications                     user   read:notifications  GroupedNotificationsResults paging/80 types exclude_types account_id grouped_types expand_accounts
GET    /api/v2/notifications/unread_count        user   read:notifications  *                limit types exclude_types account_id grouped_types
GET    /api/v2/notifications/policy              user   read:notifications  NotificationPolicy
PATCH  /api/v2/notifications/policy              user   write:notifications NotificationPolicy for_not_following for_private_mentions
GET    /api/v2/notifications/:id                 user   read:notifications  GroupedNotificationsResults
GET    /api/v2/notifications/:id/accounts        user   read:notifications  [Account]        links/80
POST   /api/v2/notifications/:id/dismiss         user   write:notifications {}
POST   /api/retwis/v1/follow                     user   write:follows       [*]              id
POST   /api/retwis/v1/unfollow                   user   write:follows       [*]              id
GET    /api/retwis/v1/accounts/:id/common        user   read:follows        *
GET    /api/retwis/v1/timelines/home/origins     user   read:statuses       [*]              id
GET    /api/retwis/v1/site                       anyone -                   *
"""

# Promised, but not there yet: nothing else may be missing, and nothing on this list may be there.
NOT_YET = frozenset()

# They do not end, so no walk goes there: test_streaming.py and test_streaming_own.py do.
STREAMS = frozenset("""
GET /api/v1/streaming/health
GET /api/v1/streaming/user
GET /api/v1/streaming/user/notification
GET /api/v1/streaming/public
GET /api/v1/streaming/public/local
GET /api/v1/streaming/public/remote
GET /api/v1/streaming/hashtag
GET /api/v1/streaming/hashtag/local
GET /api/v1/streaming/list
GET /api/v1/streaming/direct
GET /api/retwis/v1/stream/firehose
GET /api/retwis/v1/stream/sample
GET /api/retwis/v1/stream/filter
""".strip().splitlines())


def needs(*keys):
    """Leaves a test of addresses out until they are there: then test_table_and_routes_are_the_same wants them off the list."""
    missing = [key for key in keys if key in NOT_YET]
    return pytest.mark.skipif(bool(missing), reason=f"not there yet: {missing}")


@dataclasses.dataclass(frozen=True)
class Row:
    """A line of the table; `most` is what a limit above it is cut to, None if there is no limit."""

    method: str
    path: str
    who: str
    scopes: tuple
    answer: object
    parameters: tuple
    most: int | None

    @property
    def key(self):
        """How lists of routes are compared: without the names of variables."""
        return f"{self.method} {plain_path(self.path)}"

    @property
    def is_list(self):
        """Whether it pages by Link."""
        return "max_id" in self.parameters and isinstance(self.answer, list)


def plain_path(path):
    """Every variable is ":x"."""
    return re.sub(r":\w+", ":x", path)


def _row(line):
    method, path, who, scopes, answer, *words = line.split()
    parameters, most = [], None
    for word in words:
        name, _, number = word.partition("/")
        most = int(number) if number else most
        parameters += ["max_id", "since_id", "min_id", "limit"] if name in ("paging", "links") else [name]
    kind = answer.strip("[]")
    kind = "any" if kind == "*" else {} if kind == "{}" else kind
    return Row(method, path, who, () if scopes == "-" else tuple(scopes.split(",")), [kind] if answer[0] == "[" else kind, tuple(parameters), most)


ROWS = tuple(_row(line) for line in _TABLE.strip().splitlines())

# What a right request sends: by method and path, with the ids of `api_world.py` in the place of {words}.
RIGHT = {
    "POST /api/retwis/v1/follow": {"id[]": "{account}"},
    "POST /api/retwis/v1/unfollow": {"id[]": "117000000000000001"},
    "GET /api/retwis/v1/timelines/home/origins": {"id[]": "{status}"},
    "POST /api/v1/apps": {"client_name": "walker", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read"},
    "POST /api/v1/accounts": {"username": "{fresh}", "email": "{fresh}@example.org", "password": "correct horse battery", "agreement": "true",
                              "locale": "en"},
    "PATCH /api/v1/accounts/update_credentials": {"display_name": "Walker"},
    "GET /api/v1/accounts": {"id[]": "{account}"},
    "GET /api/v1/accounts/lookup": {"acct": "{name}"},
    "GET /api/v1/accounts/relationships": {"id[]": "{account}"},
    "GET /api/v1/accounts/familiar_followers": {"id[]": "{account}"},
    "GET /api/v1/accounts/search": {"q": "{name}"},
    "POST /api/v1/accounts/:x/note": {"comment": "a friend"},
    "POST /api/v1/statuses": {"status": "said in a walk"},
    "GET /api/v1/statuses": {"id[]": "{status}"},
    "PUT /api/v1/statuses/:x": {"status": "said otherwise"},
    "GET /api/v2/search": {"q": "{name}"},
    "POST /api/v1/lists": {"title": "{fresh}"},
    "PUT /api/v1/lists/:x": {"title": "{fresh}"},
    "POST /api/v1/lists/:x/accounts": {"account_ids[]": "{account}"},
    "DELETE /api/v1/lists/:x/accounts": {"account_ids[]": "{account}"},
    "POST /api/v1/featured_tags": {"name": "walk"},
    "POST /api/v1/filters": {"phrase": "{fresh}", "context[]": "home"},
    "PUT /api/v1/filters/:x": {"phrase": "{fresh}", "context[]": "home"},
    "POST /api/v2/filters": {"title": "{fresh}", "context[]": "home", "filter_action": "warn", "keywords_attributes[0][keyword]": "{fresh}"},
    "PUT /api/v2/filters/:x": {"title": "{fresh}", "context[]": "home"},
    "POST /api/v2/filters/:x/keywords": {"keyword": "{fresh}"},
    "POST /api/v2/filters/:x/statuses": {"status_id": "{status}"},
    "PUT /api/v2/filters/keywords/:x": {"keyword": "{fresh}"},
    "GET /api/v1/markers": {"timeline[]": "home"},
    "POST /api/v1/markers": {"home[last_read_id]": "{status}"},
}

# Ends of ranges: a row, a parameter, words that are taken and words that are not, and with which status. FRESH is made anew.
EDGES = (
    ("POST /api/v1/statuses", "status", ("x", "x" * 500, "\U0001f986" * 500), ("x" * 501, "", " \n"), 422),
    ("POST /api/v1/statuses", "spoiler_text", ("", "x" * 483), ("x" * 501,), 422),  # both together may have 500
    ("POST /api/v1/statuses", "visibility", ("", "public", "unlisted", "private", "direct"), ("secret", "Public "), 422),
    ("POST /api/v1/statuses", "in_reply_to_id", ("",), ("0", "x", "100000000000000001"), 404),
    ("PUT /api/v1/statuses/:x", "status", ("x", "x" * 500), ("x" * 501, ""), 422),
    ("POST /api/v1/statuses/:x/reblog", "visibility", ("public", "unlisted", "private"), ("direct", "x"), 422),
    ("POST /api/v1/apps", "client_name", ("x", "x" * 60), ("x" * 61, "", " "), 422),
    ("POST /api/v1/apps", "redirect_uris", ("a:" + "x" * 1998, "a:b\nc:d"), ("a:" + "x" * 1999, "", "x", "JavaScript:x", "a:b#c"), 422),
    ("POST /api/v1/apps", "scopes", ("", "read", "read write:statuses"), ("nothing", "read nothing", "READ"), 422),
    ("POST /api/v1/apps", "website", ("", "https://" + "x" * 1992), ("https://" + "x" * 1993, "ftp://x"), 422),
    ("PATCH /api/v1/accounts/update_credentials", "display_name", ("", "x" * 50), ("x" * 51,), 422),
    ("PATCH /api/v1/accounts/update_credentials", "note", ("", "x" * 500), ("x" * 501,), 422),
    ("POST /api/v1/lists", "title", ("x", "x" * 60), ("x" * 61, "", " "), 422),
    ("POST /api/v1/lists", "replies_policy", ("", "list", "followed", "none"), ("x",), 422),
    ("POST /api/v1/featured_tags", "name", ("walk", "#Walk"), ("", "two words", "#", "##x", "1"), 422),
    ("POST /api/v2/filters/:x/keywords", "keyword", ("x", "x" * 100), ("x" * 101, ""), 422),
    ("POST /api/v2/filters", "filter_action", ("warn", "hide"), ("x",), 422),
    ("POST /api/v2/filters", "context[]", ("home", "notifications", "public", "thread", "account"), ("x", "Home"), 422),
    ("POST /api/v1/accounts", "username", ("FRESH",), ("ab", "u" * 31, "a b", ""), 422),
    ("POST /api/v1/accounts", "password", ("horse2 Battery " + "q7" * 56,), ("p" * 7, "p" * 129, ""), 422),
    ("POST /api/v1/accounts/:x/note", "comment", ("", "x" * 2000), ("x" * 2001,), 422),
    ("POST /api/v1/accounts/:x/follow", "languages[]", ("", "en", "zz"), ("english",), 422),
    ("POST /api/v1/markers", "home[last_read_id]", ("1", "100000000000000001"), ("x", "9" * 30), 422),
    ("GET /api/v2/search", "offset", ("0", "1", "9" * 12), ("-1",), 400),
    ("GET /api/v2/search", "q", ("x", "x" * 400), ("",), 400),
    ("GET /api/v1/accounts/search", "offset", ("0", "9" * 12), ("-1",), 400),
    ("GET /api/v1/trends/tags", "offset", ("0", "9" * 12), ("-1",), 400),
)
