"""A small client of the API for tests: JSON calls with a token, lists followed by their Link header in both directions.

    alice = Api.sign_up(server, "alice")             # an account with a token for everything
    status = alice.post("/api/v1/statuses", status="Hello")
    nobody = Api(server)                             # without a token
    nobody.get("/api/v1/timelines/home", expect=401)

Every answer is held against the rules that no endpoint may break (mastodon-api.md, section 0): its type, its CORS header,
the form of an error, the form of Link. No threads.
"""

import re
import urllib.parse

import requests

from api_document import check_promise
from retwis_browser import PASSWORD, Browser
from retwis_process import limit

OTHER_SITE = "https://app.example"  # programs in browsers come from elsewhere
ALL_SCOPES = "read write follow push"
_LINK = re.compile(r'<([^>]+)>; rel="(next|prev)"')
_MOST_PAGES = 200  # a list that has more of them does not end


class Answer:
    """What came back."""

    def __init__(self, response):
        self.response = response
        self.status = response.status_code
        self.headers = response.headers

    @property
    def json(self):
        """The body."""
        return self.response.json()

    @property
    def error(self):
        """The words of an error."""
        return self.json["error"]

    @property
    def links(self):
        """Addresses by "next" and "prev"."""
        return {rel: url for url, rel in _LINK.findall(self.headers.get("Link", ""))}

    @property
    def summary(self):
        """For messages of failed tests."""
        return f"{self.response.request.method} {self.response.url}: {self.status} {self.response.text[:500]}"


def check_answer(answer, base):
    """The rules for every answer of the API."""
    headers, said = answer.headers, answer.summary
    assert answer.status < 500 or answer.status == 503, said
    assert headers.get("Access-Control-Allow-Origin") == "*", (said, headers)
    assert headers.get("Content-Type", "").split(";")[0] == "application/json", (said, headers)
    body = answer.json
    if answer.status >= 400:
        assert isinstance(body, dict) and isinstance(body.get("error"), str) and body["error"], said
        assert not set(body) - {"error", "error_description", "details"}, said
        return
    assert isinstance(body, (dict, list)), said
    request = answer.response.request
    check_promise(base, request.method, request.url, body)
    _check_link(answer, base)


def _check_link(answer, base):
    """Absolute addresses of this site, next first. On an empty page their cursors are not those that Mastodon.py finds, which fails there."""
    link = answer.headers.get("Link")
    if link is None:
        return
    parts = link.split(", ")
    assert all(_LINK.fullmatch(part) for part in parts), link
    assert [_LINK.fullmatch(part)[2] for part in parts] in (["next", "prev"], ["next"], ["prev"]), link
    assert all(url.startswith(base + "/") for url in answer.links.values()), (link, base)
    found = re.search(r"[?&](max|min|since)_id=", link)
    assert not found or not isinstance(answer.json, list) or answer.json, f"a Link on an empty page: {link}"


class Api:
    """One who asks: `token` is None for nobody. `name`, and `browser` where it was made here, are those of the account."""

    def __init__(self, server, token=None, name=None):
        self.server = server
        self.token = token
        self.name = name
        self.browser = None
        self._account = None
        self.session = requests.Session()
        self.session.headers["Origin"] = "https://app.example"  # as an app that is a web page
        self.session.trust_env = False  # no proxy between the tests and their server

    @classmethod
    def sign_up(cls, server, name, scopes=ALL_SCOPES):
        """A fresh account with the token of an application."""
        browser = Browser(server).sign_up(name)
        made = cls.of(server, name, scopes)
        made.browser = browser
        return made

    @classmethod
    def of(cls, server, name, scopes=ALL_SCOPES):
        """A token of somebody who is there already."""
        return cls(server, make_token(server, name, scopes), name)

    @property
    def account(self):
        """One's own account, as verify_credentials showed it first."""
        if self._account is None:
            self._account = self.get("/api/v1/accounts/verify_credentials")
        return self._account

    @property
    def id(self):
        """Of the account."""
        return self.browser.cookie.split(".")[0] if self.browser else self.account["id"]

    # --- calls ---

    def ask(self, method, path, headers=None, **options):
        """Any request, in the words of requests (params, json, data, files); redirects are answers. The Answer."""
        url = path if "://" in path else self.server.url + path
        headers = {"Origin": OTHER_SITE, **(headers or {})}
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        options.setdefault("timeout", limit(30))
        answer = Answer(self.session.request(method, url, headers=headers, allow_redirects=False, **options))
        check_answer(answer, self.server.url)
        return answer

    def _expect(self, expect, method, path, **options):
        answer = self.ask(method, path, **options)
        assert answer.status == expect, f"not {expect}: {answer.summary}"
        return answer.json

    def get(self, path, expect=200, **query):
        """The body of an answer of this status. Lists in the query become name[]=."""
        return self._expect(expect, "GET", path, params=arrays(query))

    def post(self, path, expect=200, **body):
        """Likewise with a JSON body. A fresh Idempotency-Key is the caller's business: see ask."""
        return self._expect(expect, "POST", path, json=body)

    def put(self, path, expect=200, **body):
        """Likewise."""
        return self._expect(expect, "PUT", path, json=body)

    def patch(self, path, expect=200, **body):
        """Likewise."""
        return self._expect(expect, "PATCH", path, json=body)

    def delete(self, path, expect=200, **body):
        """Likewise."""
        return self._expect(expect, "DELETE", path, json=body)

    def form(self, method, path, expect=200, **fields):
        """Any method with a form as its body; lists become name[]=."""
        return self._expect(expect, method, path, data=arrays(fields))

    # --- lists ---

    def pages(self, path, back=False, **query):
        """Every page of a list from this one on, by Link: next, or prev with back=True."""
        query = arrays(query)
        for _ in range(_MOST_PAGES):
            answer = self.ask("GET", path, params=query)
            assert answer.status == 200, answer.summary
            yield answer.json
            path, query = answer.links.get("prev" if back else "next"), None  # the address is whole
            if path is None:
                return
        raise AssertionError(f"{path} does not end")

    def all(self, path, **query):
        """Every entry of a list, newest first."""
        return [entry for page in self.pages(path, **query) for entry in page]

    def all_back(self, path, **query):
        """The same by prev links from a page on, oldest page first (begin with min_id): in the order of one list again."""
        return [entry for page in reversed(list(self.pages(path, back=True, **query))) for entry in page]


def arrays(fields):
    """Pairs of what requests sends: a list of values has "[]" behind its name, None is left out."""
    pairs = []
    for name, value in fields.items():
        if isinstance(value, (list, tuple)):
            pairs += [(f"{name}[]", _word(one)) for one in value]
        elif value is not None:
            pairs.append((name, _word(value)))
    return pairs


def _word(value):
    return {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value


def ids(entries):
    """Of a page."""
    return [entry["id"] for entry in entries]


def query_of(url):
    """Parameters of an address, as a Link has them."""
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


# --- tokens ---


def make_token(server, name, scopes=ALL_SCOPES):
    """A token of this account, made by the program itself."""
    return server.cli("app", "token", name, "--scopes", scopes).strip()


def make_app(server, scopes=ALL_SCOPES, redirect="urn:ietf:wg:oauth:2.0:oob"):
    """An application by the API: its CredentialApplication."""
    return Api(server).post("/api/v1/apps", client_name="tests", redirect_uris=redirect, scopes=scopes)


def app_token(server, scopes=ALL_SCOPES):
    """A token of an application by itself, for nobody in particular."""
    made = dict(line.split() for line in server.cli("app", "create", "tests", "--scopes", scopes).splitlines())
    return server.cli("app", "token", "--app", made["client_id"], "--scopes", scopes).strip()


def log_in(server, name, password=PASSWORD, scopes=ALL_SCOPES):
    """A token by the password grant, as programs without a browser get it."""
    app = make_app(server, scopes)
    return Api(server).post("/oauth/token", grant_type="password", client_id=app["client_id"], scope=scopes,
                            client_secret=app["client_secret"], username=name, password=password)["access_token"]
