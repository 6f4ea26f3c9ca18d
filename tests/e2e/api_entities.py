"""The entities of the API, field by field, as clients need them: live answers are held against these tables.

    check(alice.post("/api/v1/statuses", status="Hello"), "Status+")
    check(alice.get("/api/v1/timelines/home"), ["Status+"])

"Status+" is a post as somebody signed in sees it: with what he did with it. A field that is not in the table is a mistake
too: either it was meant to be there, or the table of mastodon-api.md has to say so.
"""

import re

# A type is a word of _WORDS (with "?": may be null), a tuple of allowed words, the name of an entity (with "?"), a list with the
# type of its entries, or a dictionary of fields. A field that ends in "~" may be missing.
_ID = re.compile(r"[1-9][0-9]*")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_URL = re.compile(r"https?://[^/\s]+(/\S*)?")
_TAG = re.compile(r"<(/?)(\w+)([^<>]*)>")


def _is_html(text):
    """Only the tags that clients know, closed in order, and nothing else that looks like one."""
    open_tags = []
    for close, name, rest in _TAG.findall(text):
        if name not in ("p", "br", "span", "a"):
            return False
        if close:
            if not open_tags or open_tags.pop() != name:
                return False
        elif not rest.endswith("/"):
            open_tags.append(name)
    return not open_tags and not re.search("[<>]", _TAG.sub("", text))


_WORDS = {
    "text": lambda v: isinstance(v, str),
    "word": lambda v: isinstance(v, str) and v != "",
    "html": lambda v: isinstance(v, str) and _is_html(v),
    "id": lambda v: isinstance(v, str) and bool(_ID.fullmatch(v)),
    "url": lambda v: isinstance(v, str) and bool(_URL.fullmatch(v)),
    "number": lambda v: isinstance(v, int) and not isinstance(v, bool) and v >= 0,
    "digits": lambda v: isinstance(v, str) and v.isdigit(),
    "bool": lambda v: isinstance(v, bool),
    "date": lambda v: isinstance(v, str) and bool(_DATE.fullmatch(v)),
    "day": lambda v: isinstance(v, str) and bool(_DAY.fullmatch(v)),
    "any": lambda v: v is not None,
}

_VISIBILITY = ("public", "unlisted", "private", "direct")

_ACCOUNT = {
    "id": "id", "username": "word", "acct": "word", "url": "url", "uri": "url", "display_name": "text", "note": "html",
    "avatar": "url", "avatar_static": "url", "header": "url", "header_static": "url", "locked": "bool", "bot": "bool", "group": "bool",
    "discoverable": "bool?", "indexable": "bool", "emojis": ["any"], "fields": [{"name": "word", "value": "html", "verified_at": "date?"}],
    "roles": ["any"], "created_at": "date", "last_status_at": "day?", "statuses_count": "number", "followers_count": "number",
    "following_count": "number", "suspended~": "bool", "limited~": "bool", "moved~": "Account?", "noindex~": "bool", "hide_collections": "bool",
    "mute_expires_at~": "date?",
}

_SOURCE = {
    "privacy": _VISIBILITY, "sensitive": "bool", "language": "text?", "note": "text", "fields": [{"name": "word", "value": "text", "verified_at~": "date?"}],
    "follow_requests_count": "number", "discoverable": "bool", "indexable": "bool", "hide_collections": "bool",
}

_STATUS = {
    "id": "id", "uri": "url", "created_at": "date", "account": "Account", "content": "html", "visibility": _VISIBILITY, "sensitive": "bool",
    "spoiler_text": "text", "media_attachments": ["any"], "mentions": [{"id": "id", "username": "word", "acct": "word", "url": "url"}],
    "tags": [{"name": "word", "url": "url"}], "emojis": ["any"], "reblogs_count": "number", "favourites_count": "number",
    "replies_count": "number", "quotes_count": "number", "url": "url?", "in_reply_to_id": "id?", "in_reply_to_account_id": "id?",
    "reblog": "Status?", "poll": "any?", "card": "any?", "language": "text?", "edited_at": "date?", "application": "Application?", "text~": "text",
}

_SEEN = {"favourited": "bool", "reblogged": "bool", "muted": "bool", "bookmarked": "bool", "pinned~": "bool", "filtered": ["FilterResult"]}

_V1_FILTER = {"id": "id", "phrase": "word", "context": [("home", "notifications", "public", "thread", "account")], "whole_word": "bool",
              "expires_at": "date?", "irreversible": "bool"}
_FILTER = {"id": "id", "title": "text", "context": [("home", "notifications", "public", "thread", "account")], "expires_at": "date?",
           "filter_action": ("warn", "hide", "blur"), "keywords~": ["FilterKeyword"], "statuses~": ["FilterStatus"]}

_TAG_ENTITY = {"id~": "word", "name": "word", "url": "url", "history": [{"day": "digits", "uses": "digits", "accounts": "digits"}],
               "following~": "bool", "featuring~": "bool"}

ENTITIES = {
    "Account": _ACCOUNT,
    "CredentialAccount": {**_ACCOUNT, "source": _SOURCE, "role": {"id~": "text", "name~": "text", "color~": "text", "permissions~": "text",
                                                                  "highlighted~": "bool", "created_at~": "date", "updated_at~": "date"}},
    "Status": _STATUS,
    "Status+": {**_STATUS, **_SEEN, "reblog": "Status+?"},
    "StatusSource": {"id": "id", "text": "text", "spoiler_text": "text"},
    "StatusEdit": {"content": "html", "spoiler_text": "text", "sensitive": "bool", "created_at": "date", "account": "Account",
                   "media_attachments": ["any"], "emojis": ["any"], "poll~": "any?"},
    "Context": {"ancestors": ["Status"], "descendants": ["Status"]},
    "Context+": {"ancestors": ["Status+"], "descendants": ["Status+"]},
    "Relationship": {
        **dict.fromkeys(("following", "showing_reblogs", "notifying", "followed_by", "blocking", "blocked_by", "muting", "muting_notifications",
                         "requested", "requested_by", "domain_blocking", "endorsed"), "bool"),
        "id": "id", "note": "text", "languages": "any?", "muting_expires_at~": "date?"},
    "Notification": {"id": "id", "type": ("mention", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update"),
                     "created_at": "date", "account": "Account", "status~": "Status+?", "group_key": "word"},
    "Tag": _TAG_ENTITY,
    "FeaturedTag": {"id": "id", "name": "word", "url": "url", "statuses_count": "digits", "last_status_at": "day?"},
    "Search": {"accounts": ["Account"], "statuses": ["Status"], "hashtags": ["Tag"]},
    "Search+": {"accounts": ["Account"], "statuses": ["Status+"], "hashtags": ["Tag"]},
    "Token": {"access_token": "word", "token_type": ("Bearer",), "scope": "word", "created_at": "number"},
    "Application": {"name": "word", "website": "text?", "scopes~": ["word"], "redirect_uris~": ["word"], "redirect_uri~": "word", "id~": "id",
                    "vapid_key~": "text"},
    "CredentialApplication": {"id": "id", "name": "word", "website": "text?", "scopes": ["word"], "redirect_uris": ["word"], "redirect_uri": "word",
                              "client_id": "word", "client_secret": "word", "client_secret_expires_at": "number", "vapid_key": "text"},
    "List": {"id": "id", "title": "word", "replies_policy": ("followed", "list", "none"), "exclusive": "bool"},
    "Marker": {"last_read_id": "id", "version": "number", "updated_at": "date"},
    "GroupedNotificationsResults": {"accounts": ["Account"], "partial_accounts~": ["PartialAccountWithAvatar"], "statuses": ["Status+"],
                                    "notification_groups": ["NotificationGroup"]},
    "NotificationGroup": {"group_key": "word", "notifications_count": "number", "most_recent_notification_id": "number",
                          "type": ("mention", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update"), "page_min_id~": "id",
                          "page_max_id~": "id", "latest_page_notification_at~": "date", "sample_account_ids": ["id"], "status_id~": "id"},
    "PartialAccountWithAvatar": {"id": "id", "acct": "word", "url": "url", "avatar": "url", "avatar_static": "url", "locked": "bool", "bot": "bool"},
    "NotificationPolicy": {**dict.fromkeys(("for_not_following", "for_not_followers", "for_new_accounts", "for_private_mentions",
                                            "for_limited_accounts"), ("accept", "filter", "drop")),
                           "summary": {"pending_requests_count": "number", "pending_notifications_count": "number"}},
    "Conversation": {"id": "id", "unread": "bool", "accounts": ["Account"], "last_status": "Status+?"},
    "Filter": _FILTER,
    "FilterKeyword": {"id": "id", "keyword": "word", "whole_word": "bool"},
    "FilterStatus": {"id": "id", "status_id": "id"},
    "FilterResult": {"filter": "Filter", "keyword_matches": "any?", "status_matches": "any?"},
    "V1_Filter": _V1_FILTER,
    "V1_Instance": {
        "uri": "word", "title": "text", "short_description": "text", "description": "text", "email": "text", "version": "word",
        "urls": {"streaming_api": "word"}, "stats": {"user_count": "number", "status_count": "number", "domain_count": "number"}, "thumbnail": "url?",
        "languages": ["word"], "registrations": "bool", "approval_required": "bool", "invites_enabled": "bool", "configuration": "any",
        "contact_account": "Account?", "rules": [{"id": "word", "text": "text", "hint~": "text"}], "max_toot_chars~": "number"},
    "Instance": {
        "domain": "word", "title": "text", "version": "word", "description": "text", "source_url": "text", "usage": {"users": {"active_month": "number"}},
        "thumbnail": {"url": "url", "blurhash~": "text?", "versions~": "any", "description~": "text?"}, "icon": ["any"], "languages": ["word"], "configuration": "any",
        "registrations": {"enabled": "bool", "approval_required": "bool", "message": "text?", "url~": "url?", "min_age~": "any?", "reason_required~": "bool?"},
        "api_versions": {"mastodon": "number"}, "contact": {"email": "text", "account": "Account?"}, "rules": [{"id": "word", "text": "text", "hint~": "text"}]},
}


def faults(value, kind, where="$"):
    """What is wrong with a value, in words, each with its place."""
    if isinstance(kind, str) and kind.endswith("?"):
        return [] if value is None else faults(value, kind[:-1], where)
    if isinstance(kind, list):
        if not isinstance(value, list):
            return [f"{where} is no array: {value!r}"]
        return [fault for n, one in enumerate(value) for fault in faults(one, kind[0], f"{where}[{n}]")]
    if isinstance(kind, tuple):
        return [] if value in kind else [f"{where} is none of {kind}: {value!r}"]
    if isinstance(kind, str) and kind not in ENTITIES:
        return [] if _WORDS[kind](value) else [f"{where} is no {kind}: {value!r}"]
    return _faults_of_fields(value, ENTITIES[kind] if isinstance(kind, str) else kind, where)


def _faults_of_fields(value, fields, where):
    if not isinstance(value, dict):
        return [f"{where} is no object: {value!r}"]
    found = [f"{where}.{name} is not in the table" for name in value if name not in fields and f"{name}~" not in fields]
    for name, kind in fields.items():
        plain = name.removesuffix("~")
        if plain in value:
            found += faults(value[plain], kind, f"{where}.{plain}")
        elif plain == name:
            found.append(f"{where}.{name} is missing")
    return found


def check(value, kind):
    """Fails with all that is wrong; the value itself, so that it can stand where the value stands."""
    wrong = faults(value, kind)
    assert not wrong, "; ".join(wrong)
    return value
