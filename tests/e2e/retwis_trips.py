"""How many round trips to the engine a write may take: the bounds that the tests of forms and of the API hold all of them to.

Two are enough for nearly everything: the change, and what follows from it elsewhere, with which comes what the answer shows. One
more finds out who asks, when the process does not remember him (test_round_trips.py asks when it does).
"""

import types

_MOST = 3  # by somebody whom the process does not remember

# What takes more. One person's relation to another is written on both sides and looked at again; an edit looks at what the words were,
# and are then, and tells those who have boosted the post; a name is looked for again when it was written.
_MORE = {
    "POST /@:name/follow": 6, "POST /@:name/unfollow": 6, "POST /follow": 8, "POST /unfollow": 8, "POST /api/retwis/v1/follow": 8, "POST /api/retwis/v1/unfollow": 8,
    "POST /@:name/block": 9, "POST /@:name/unblock": 6,
    "POST /api/v1/accounts/:id/follow": 8, "POST /api/v1/accounts/:id/unfollow": 8,
    "POST /api/v1/accounts/:id/block": 9, "POST /api/v1/accounts/:id/unblock": 8,
    "POST /api/v1/accounts/:id/mute": 5, "POST /api/v1/accounts/:id/unmute": 5,
    "POST /api/v1/accounts/:id/remove_from_followers": 4, "POST /api/v1/accounts/:id/note": 4,
    "POST /api/v1/accounts/:id/pin": 4, "POST /api/v1/accounts/:id/unpin": 4,
    "POST /api/v1/accounts/:id/endorse": 4, "POST /api/v1/accounts/:id/unendorse": 4,
    "POST /api/v1/follow_requests/:id/authorize": 8, "POST /api/v1/follow_requests/:id/reject": 8,
    "POST /posts/:id/edit": 7, "PUT /api/v1/statuses/:id": 9,
    "POST /lists/:id/add": 4, "POST /lists/:id/remove": 4,
    "POST /api/v1/lists/:id/accounts": 4, "DELETE /api/v1/lists/:id/accounts": 4, "PUT /api/v1/lists/:id": 4,
    "POST /settings/profile": 5, "PATCH /api/v1/accounts/update_credentials": 6,
    "POST /auth/sign_up": 6, "POST /auth/sign_in": 5, "POST /api/v1/accounts": 5,
    "POST /notifications/dismiss": 4,
}


def check_trips(server, answer, method, path):
    """Holds an answer to the bound of its row of `retwis routes`."""
    trips, most = server.trips(types.SimpleNamespace(headers=dict(answer.headers))), _MORE.get(f"{method} {path}", _MOST)
    assert trips <= most, f"{method} {path} took {trips} round trips, more than {most}"
