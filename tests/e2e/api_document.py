"""The API's own document (GET /api), and what it promises of an answer.

    check_promise(server_url, "GET", "/api/v1/timelines/home", body)
"""

import functools
import re
import urllib.parse

import jsonschema
import requests

_LISTED = 3  # of a list, so many are looked at: the others are made in the same way


class Document:
    """What a server says of its API."""

    def __init__(self, url):
        self.value = requests.get(url + "/api", timeout=60).json()
        self.schemas = self.value["components"]["schemas"]
        self._resolver = jsonschema.RefResolver("", self.value)
        self._paths = [(re.compile("^" + re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + "$"), path) for path in self.value["paths"]]
        self._paths.sort(key=lambda pair: pair[1].count("{"))

    def operation(self, method, path):
        """The entry of an address; None: it is not in the document."""
        for pattern, name in self._paths:
            if pattern.match(path) and method.lower() in self.value["paths"][name]:
                return self.value["paths"][name][method.lower()]
        return None

    def promise(self, method, path):
        """The schema of a good answer; None: nothing is promised."""
        operation = self.operation(method, path)
        content = (operation or {}).get("responses", {}).get("200", {}).get("content", {})
        return content.get("application/json", {}).get("schema")

    def faults(self, schema, body):
        """What is wrong with an answer."""
        if isinstance(body, list):
            body = body[:_LISTED]
        validator = jsonschema.Draft202012Validator(schema, resolver=self._resolver)
        return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in validator.iter_errors(body)]


@functools.lru_cache(maxsize=None)
def document_of(url):
    """Read once from each server."""
    return Document(url)


def check_promise(url, method, address, body):
    """Fails if a good answer is not what the document says of its address."""
    document = document_of(url)
    path = urllib.parse.unquote(urllib.parse.urlsplit(address).path).rstrip("/")
    schema = document.promise(method, path)
    wrong = document.faults(schema, body) if schema else []
    assert not wrong, (method, path, wrong)
