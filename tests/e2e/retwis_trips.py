"""How many round trips to the engine a write may take: the bounds that the tests of forms and of the API hold all of them to.

Two are enough for nearly everything: the change, and what follows from it elsewhere, with which comes what the answer shows. One
more finds out who asks, when the process does not remember him (test_round_trips.py asks when it does).
"""

import types

_MOST = 3  # by somebody whom the process does not remember

# What takes more: a page that is shown after it, a name that is looked for among others, the words before an edit.
_MORE = {
    "POST /follow": 6, "POST /unfollow": 6, "POST /api/retwis/v1/follow": 4, "POST /api/retwis/v1/unfollow": 4,
    "POST /api/v1/accounts/:id/remove_from_followers": 4,
    "POST /posts/:id/edit": 4, "PUT /api/v1/statuses/:id": 4,
    "POST /lists/:id/add": 4, "POST /lists/:id/remove": 4, "PUT /api/v1/lists/:id": 4,
    "PATCH /api/v1/accounts/update_credentials": 5,
    "POST /auth/sign_up": 6, "POST /auth/sign_in": 5, "POST /api/v1/accounts": 5,
    "POST /notifications/dismiss": 4,
}


def check_trips(server, answer, method, path):
    """Holds an answer to the bound of its row of `retwis routes`."""
    trips, most = server.trips(types.SimpleNamespace(headers=dict(answer.headers))), _MORE.get(f"{method} {path}", _MOST)
    assert trips <= most, f"{method} {path} took {trips} round trips, more than {most}"
