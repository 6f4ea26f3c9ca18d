"""A page as a test reads it: the answer, its elements by simple selectors, its forms.

Selectors know what the hooks of web/templates/README.md need: tag, #id, .class, [attribute], [attribute=value], and a
blank for "inside of".
"""

import html.parser
import re

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_PART = re.compile(r"""(?P<tag>^[a-z][a-z0-9]*)|\#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)
                       |\[(?P<attribute>[\w-]+)(?:=(?P<value>[^\]]*))?\]""", re.X)


class Element:
    """A node of the tree. Text is kept in order among the children."""

    def __init__(self, tag, attributes, parent):
        self.tag = tag
        self.attributes = {name: value or "" for name, value in attributes}
        if tag == "article" and self.attributes.get("id", "").startswith("post-"):
            self.attributes.setdefault("data-id", self.attributes["id"][5:])  # which post: says so only where its place has another name
        self.parent = parent
        self.children = []

    def __getitem__(self, name):
        return self.attributes[name]

    def get(self, name, default=None):
        """An attribute."""
        return self.attributes.get(name, default)

    def __contains__(self, name):
        return name in self.attributes

    @property
    def text(self):
        """All text below, as it stands in the source."""
        return "".join(c if isinstance(c, str) else c.text for c in self.children)

    @property
    def visible(self):
        """The text that a person reads: <br> and the ends of paragraphs are line breaks."""
        out = []
        for child in self.children:
            out.append(child if isinstance(child, str) else child.visible)
        if self.tag == "br":
            out.append("\n")
        elif self.tag == "p":
            out.append("\n\n")
        return "".join(out)

    def below(self):
        """All elements below, in the order of the document."""
        for child in self.children:
            if not isinstance(child, str):
                yield child
                yield from child.below()

    def _is(self, simple):
        at = 0
        for part in _PART.finditer(simple):
            assert part.start() == at, simple
            at = part.end()
            if part["tag"] and self.tag != part["tag"]:
                return False
            if part["id"] and self.get("id") != part["id"]:
                return False
            if part["class"] and part["class"] not in self.get("class", "").split():
                return False
            if part["attribute"]:
                value = self.get(part["attribute"])
                if value is None or (part["value"] is not None and value != part["value"]):
                    return False
        assert at == len(simple), f"selector not understood: {simple}"
        return True

    def matches(self, selector):
        """Whether this element is one that the selector means."""
        *outer, last = selector.split()
        if not self._is(last):
            return False
        node = self.parent
        while outer and node is not None:
            if node._is(outer[-1]):
                outer.pop()
            node = node.parent
        return not outer

    def all(self, selector):
        """Every element below that the selector means."""
        return [e for e in self.below() if e.matches(selector)]

    def first(self, selector):
        """The first of them, or None."""
        return next((e for e in self.below() if e.matches(selector)), None)

    def one(self, selector):
        """The only one of them."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} elements for {selector}"
        return found[0]


_IMPLIED = {"li", "option"}  # end where the next begins or what they are in ends: HTML needs no tag for that


class _Builder(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self._at = Element("", [], None)

    def handle_starttag(self, tag, attrs):
        if tag in _IMPLIED and self._at.tag == tag:
            self._at = self._at.parent
        element = Element(tag, attrs, self._at)
        self._at.children.append(element)
        if tag not in _VOID:
            self._at = element

    def handle_startendtag(self, tag, attrs):
        self._at.children.append(Element(tag, attrs, self._at))

    def handle_endtag(self, tag):
        if self._at.tag in _IMPLIED and self._at.tag != tag:
            self._at = self._at.parent
        node = self._at
        while node.parent is not None and node.tag != tag:
            node = node.parent
        assert node.parent is not None, f"</{tag}> closes nothing"
        assert node is self._at, f"</{tag}> while <{self._at.tag}> is open"
        self._at = node.parent

    def handle_data(self, data):
        self._at.children.append(data)


def parse(text):
    """The tree of an HTML text. Tags that are not closed in order fail: our own pages have none."""
    builder = _Builder()
    builder.feed(text)
    builder.close()
    assert builder._at is builder.root, f"<{builder._at.tag}> is never closed"
    return builder.root


class Form:
    """A form with the values that a browser would send without being touched."""

    def __init__(self, element):
        self.element = element
        self.action = element.get("action")  # None: each of its buttons has its own
        self.method = element.get("method", "get")
        self.values = {}
        for field in element.below():
            if field.tag == "input" and "name" in field:
                self.values[field["name"]] = field.get("value", "")
            elif field.tag == "textarea" and "name" in field:
                self.values[field["name"]] = re.sub(r"^\n", "", field.text)
            elif field.tag == "select" and "name" in field:
                options = [o for o in field.below() if o.tag == "option"]
                chosen = next((o for o in options if "selected" in o), options[0])
                self.values[field["name"]] = chosen.get("value", chosen.text)


class Status:
    """A post on a page."""

    def __init__(self, element):
        self.element = element
        self.id = element["data-id"]
        self.content = element.first(".text")
        self.text = self.content.visible.strip("\n") if self.content else None
        time = element.first("a.at")
        self.href = time["href"] if time else None
        self.author = self.href.split("/")[1][1:] if self.href else None

    @property
    def entry(self):
        """What stands here in the timeline: the id of the post, or of a boost of it."""
        return self.element["id"].removeprefix("post-")

    @property
    def booster(self):
        """Who boosted it, if a boost stands here."""
        line = self.element.first(".boosted-by a")
        return line and line["href"].removeprefix("/@")

    def button(self, what):
        """The button that does ("boost", "favourite", "bookmark") or undoes it, None if there is none."""
        return next((b for b in self.element.all("button") if b.get("name") in (what, "un" + what)), None)

    def is_on(self, what):
        """Whether the visitor has done that: then the button undoes it."""
        button = self.button(what)
        return button is not None and button["name"] == "un" + what

    def number(self, what):
        """The number beside the button, or beside the link to answer ("reply")."""
        link = next((a for a in self.element.all("a") if a["href"].endswith("#reply")), None)
        shown = link if what == "reply" else self.button(what)
        return int(shown.first("b").text) if shown and shown.first("b") else 0

    def __repr__(self):
        return f"<{self.id} @{self.author}: {self.text!r}>"


class Page:
    """An answer of the server, read as HTML when that is asked for."""

    def __init__(self, response):
        self.response = response
        self.status = response.status_code
        self.headers = response.headers
        self.body = response.content
        self.text = response.content.decode("utf-8", "replace")
        self.url = response.url
        self._tree = None

    def __repr__(self):
        return f"<{self.status} {self.url}>"

    @property
    def summary(self):
        """What went wrong, in a line: for messages of failed tests."""
        if not self.text.startswith("<!doctype"):
            return f"{self!r} {self.text[:500]!r}"
        return f"{self!r} {self.one('title').text!r} {self.errors} {self.flash!r}"

    @property
    def tree(self):
        """The document."""
        if self._tree is None:
            self._tree = parse(self.text)
        return self._tree

    @property
    def path(self):
        """Path and query of the page that was reached in the end."""
        return "/" + self.url.split("://", 1)[1].split("/", 1)[1]

    def all(self, selector):
        """See Element.all."""
        return self.tree.all(selector)

    def first(self, selector):
        """See Element.first."""
        return self.tree.first(selector)

    def one(self, selector):
        """See Element.one."""
        return self.tree.one(selector)

    @property
    def statuses(self):
        """The posts of the timeline in their order; on a post's own page all posts that are shown."""
        return [Status(e) for e in self.all("article.status")]

    @property
    def ids(self):
        """The ids of the posts."""
        return [s.id for s in self.statuses]

    @property
    def texts(self):
        """The texts of the posts."""
        return [s.text for s in self.statuses]

    @property
    def names(self):
        """The names of a list of people (following, followers)."""
        return [e["data-name"] for e in self.all("main .account-row")]

    @property
    def errors(self):
        """Error texts by field."""
        return {e["data-field"]: e.text.strip() for e in self.all(".error[data-field]")}

    @property
    def flash(self):
        """What the page says about the last action."""
        said = self.first("#flash .flash span")
        return said.text.strip() if said else ""

    @property
    def counts(self):
        """The numbers of the head of a page, by name."""
        return {e["data-count"]: int(e.text) for e in self.all("main [data-count]")}

    @property
    def older(self):
        """Where the older page is, or None."""
        link = self.first("a.older")
        return link["href"] if link else None

    @property
    def newer(self):
        """Where the newer page is, or None."""
        link = self.first("a.newer")
        return link["href"] if link else None

    @property
    def csrf_token(self):
        """The token of the forms of this page."""
        return self.first("input[name=csrf_token]")["value"]

    def form(self, selector):
        """A form, by selector or by action (which begins with a slash)."""
        if selector.startswith("/"):
            forms = [e for e in self.all("form") if e.get("action") == selector]
            assert forms, f"no form for {selector} on {self!r}"
            return Form(forms[0])
        return Form(self.one(selector))
