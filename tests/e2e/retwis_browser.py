"""A visitor without JavaScript: a thin layer over requests that fills in the forms which the pages really have."""

import re
import uuid

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from retwis_page import Page
from retwis_process import limit

PASSWORD = "correct horse battery"


class Browser:
    """Keeps cookies, follows redirects, sends forms back with all their hidden fields."""

    def __init__(self, server, **headers):
        self.server = server
        self.session = requests.Session()
        self.session.trust_env = False  # no proxy between the tests and their server
        # The server ends idle connections; a request that meets such an end goes out again, as browsers do it.
        again = Retry(total=2, connect=0, redirect=0, status=0, allowed_methods={"GET", "HEAD"}, raise_on_redirect=False,
                      respect_retry_after_header=False)
        self.session.mount("http://", HTTPAdapter(max_retries=again))
        self.session.headers.update(headers)
        self.name = None
        self._token = None

    def request(self, method, path, follow=True, **options):
        """Any request. A restarted server has another port: the address is asked for each time."""
        url = path if "://" in path else self.server.url + path
        options.setdefault("timeout", limit(30))
        return Page(self.session.request(method, url, allow_redirects=follow, **options))

    def get(self, path, expect=200, **options):
        """A page; `expect` None takes any status."""
        page = self.request("GET", path, **options)
        assert expect is None or page.status == expect, f"not {expect}: {page.summary}"
        return page

    def post_form(self, path, data, **options):
        """Sends fields as they are; line breaks become CR LF, as in every browser."""
        fields = {k: re.sub(r"\r\n|\r|\n", "\r\n", v) if isinstance(v, str) else v for k, v in data.items()}
        return self.request("POST", path, data=fields, **options)

    def submit(self, form, values=None, follow=True, headers=None, action=None, **more):
        """Sends a form of a page with some of its fields filled in."""
        data = {**form.values, **(values or {}), **more}
        return self.post_form(action or form.action, data, follow=follow, headers=headers)

    def token(self):
        """A CSRF token for forms that are sent without looking at a page first. Holds until the session changes."""
        if self._token is None:
            self._token = self.get("/about").csrf_token
        return self._token

    def action(self, path, follow=True, **fields):
        """A form that a page would have, without loading the page: for tests that need many of them."""
        return self.post_form(path, {"csrf_token": self.token(), **fields}, follow=follow)

    @property
    def cookie(self):
        """The session cookie's value, or None."""
        return self.session.cookies.get("retwis")

    # --- people ---

    def try_sign_up(self, name, password=PASSWORD, password2=None, **more):
        """Fills in the form and shows what came of it."""
        self._token = None
        form = self.get("/auth/sign_up").form("form.sign-up")
        return self.submit(form, username=name, password=password,
                           password2=password if password2 is None else password2, **more)

    def sign_up(self, name, password=PASSWORD, **more):
        """Signs up, and must be let in."""
        page = self.try_sign_up(name, password, **more)
        assert page.status == 200 and page.path == "/home", page.summary
        self.name = name
        return self

    def try_sign_in(self, name, password=PASSWORD, path="/auth/sign_in", **more):
        """Fills in the form and shows what came of it."""
        self._token = None
        return self.submit(self.get(path).form("form.sign-in"), username=name, password=password, **more)

    def sign_in(self, name, password=PASSWORD):
        """Signs in, and must be let in."""
        page = self.try_sign_in(name, password)
        assert page.status == 200 and page.path == "/home", page.summary
        self.name = name
        return self

    def sign_out(self):
        """Signs out by the form of the settings page."""
        page = self.submit(self.get("/settings/sessions").form("/auth/sign_out"))
        self._token = None
        return page

    def is_signed_in(self):
        """Whether the server still knows this visitor."""
        return self.request("GET", "/home", follow=False).status == 200

    # --- posts and relations ---

    def try_post(self, text, **more):
        """Writes a post in the box of the home page and shows what came of it."""
        return self.submit(self.get("/home").form("#compose"), status=text, **more)

    def post(self, text, **more):
        """Writes a post; its id. One's own newest post is the first on one's profile, with answers."""
        page = self.action("/posts", status=text, idempotency_key=str(uuid.uuid4()), next=f"/@{self.name}/replies", **more)
        assert page.status == 200, page.summary
        return page.statuses[0].id

    def post_quickly(self, text, **more):
        """Writes a post and looks at nothing but the status: for tests that need many of them."""
        page = self.action("/posts", follow=False, status=text, idempotency_key=str(uuid.uuid4()), next="/home", **more)
        assert page.status == 303, page.summary

    def reply(self, author, post_id, text):
        """Answers a post by the form of its page."""
        form = self.get(f"/@{author}/{post_id}").form("#compose")
        page = self.submit(form, status=text)
        assert page.status == 200, page.summary
        return page

    def delete(self, post_id, follow=True):
        """Takes a post back."""
        return self.action(f"/posts/{post_id}/delete", follow=follow, next="/home")

    def follow(self, name):
        """Follows by the button of the profile."""
        page = self.action(f"/@{name}/follow", next=f"/@{name}")
        assert page.status == 200, page.summary
        return page

    def unfollow(self, name):
        """Likewise."""
        page = self.action(f"/@{name}/unfollow", next=f"/@{name}")
        assert page.status == 200, page.summary
        return page

    def follow_many(self, names, path="/follow"):
        """Follows (or unfollows) a list of names in one call; results by name as given, True where it was done."""
        page = self.action(path, names=names)
        assert page.status == 200, page.summary
        return {e["data-name"]: e["data-ok"] == "true" for e in page.all(".result")}

    # --- lists ---

    def make_list(self, title, names=""):
        """A new list by the form of the page of lists, with these people on it; its address."""
        page = self.submit(self.get("/lists").form("form.list-create"), title=title)
        assert page.status == 200 and page.path.endswith("/members"), page.summary
        path = page.path.removesuffix("/members")
        if names:
            self.on_list(path, names)
        return path

    def on_list(self, path, names, verb="add"):
        """Puts people on a list (or "remove"s them); results by name, True where it was done."""
        page = self.action(f"{path}/{verb}", names=names)
        assert page.status == 200, page.summary
        return {e["data-name"]: e["data-ok"] == "true" for e in page.all(".result")}

    def lists(self):
        """Titles of one's lists with the number of members, in the order of the page."""
        return [(e.one(".list-link").text.strip(), int(e.one("[data-count=members]").text))
                for e in self.get("/lists").all(".list-row")]

    def all_lists(self):
        """Their addresses."""
        return [e["href"] for e in self.get("/lists").all(".list-link")]

    # --- timelines ---

    def pages(self, path, most=1000):
        """Every page from this one on, by the link to older ones."""
        while path and most:
            page = self.get(path)
            yield page
            path, most = page.older, most - 1

    def timeline(self, path, most=1000):
        """All posts from this page on."""
        return [s for page in self.pages(path, most) for s in page.statuses]

    def timeline_ids(self, path, most=1000):
        """Their ids."""
        return [s.id for s in self.timeline(path, most)]
