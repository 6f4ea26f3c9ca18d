"""Every address of the program, and a client that asks them quickly and follows nothing."""

import dataclasses
import http.client
import re
import urllib.parse

from retwis_process import limit

_TOKEN = re.compile(r'name=csrf_token value="?([^" >]+)')
_VISITOR = re.compile(r"(retwis_visitor=[^;]+)")
# What differs between two answers to the same question: tokens, request ids, how long ago something was.
_VARYING = re.compile(r'name=csrf_token value="?[^" >]+|<time[^>]*>[^<]*</time>|\b[0-9a-f]{16}\b')


_LARGE = 8192  # bytes of a request that may be refused before all of it was sent


@dataclasses.dataclass(frozen=True)
class Route:
    """An address: the lines of `retwis routes` with its path. `who` may, by method; parameters by name: their type, and whether
    they must be there; scopes of which a token needs one, by method."""

    methods: tuple
    path: str
    who: dict
    parameters: dict
    scopes: dict

    @property
    def signed_in(self):
        """Whether some method is not for strangers."""
        return any(who != "anyone" for who in self.who.values())

    @property
    def variables(self):
        """Names of the parts of the path that vary."""
        return re.findall(r"[:*](\w+)", self.path)

    def fill(self, values):
        """The path with these values; a missing one is "x"."""
        return re.sub(r"[:*](\w+)", lambda m: urllib.parse.quote(str(values.get(m[1], "x")), safe="/"), self.path)

    def fields(self, values):
        """The other parameters that `values` has something for."""
        return {k: values[k] for k in self.parameters if k in values and k not in self.variables}


# Where the programs of others ask: they answer with JSON and know no cookies.
_API = re.compile(r"/(api|oauth/token|oauth/revoke|\.well-known|nodeinfo)(/|$)")


def read_routes(server):
    """All pages that the program names."""
    return [route for route in _read(server) if not _API.match(route.path)]


def read_api_routes(server):
    """All that it names for other programs."""
    return [route for route in _read(server) if _API.match(route.path)]


def _read(server):
    found = {}
    for line in server.cli("routes").splitlines():
        if line.startswith("\t"):
            continue  # what a parameter is
        methods, path, who, parameters, scopes, _ = line.split("\t")
        declared = {}
        for one in parameters.split(",") if parameters != "-" else []:
            name, kind = one.split("=")
            declared[name] = (kind.rstrip("!"), kind.endswith("!"))
        same = found.get(path, Route((), path, {}, {}, {}))
        methods = methods.split(",")
        needed = () if scopes == "-" else tuple(scopes.split())
        found[path] = Route((*same.methods, *methods), path, {**same.who, **dict.fromkeys(methods, who)},
                            {**same.parameters, **declared}, {**same.scopes, **dict.fromkeys(methods, needed)})
    return list(found.values())


@dataclasses.dataclass
class Answer:
    """What came back; `body` is text."""

    status: int
    headers: list
    body: str

    def header(self, name):
        """The first of that name, or None."""
        return next((v for k, v in self.headers if k.lower() == name.lower()), None)

    def cookies(self, name):
        """Values that the answer sets this cookie to."""
        lines = [v for k, v in self.headers if k.lower() == "set-cookie"]
        return [m[1] for line in lines if (m := re.match(rf"{name}=([^;]*)", line))]

    @property
    def token(self):
        """The CSRF token of its forms, or None."""
        found = _TOKEN.search(self.body)
        return found and found[1]

    def essence(self):
        """All that must be the same when the same is asked again."""
        return self.status, self.header("Location"), _VARYING.sub("", self.body)


class Caller:
    """One connection, opened again when the server ended it. No cookies of its own."""

    def __init__(self, server, timeout=30):
        self._server = server
        self._timeout = timeout
        self._connection = None

    def ask(self, method, path, cookie=None, fields=None, headers=(), body=None):
        """Any request; fields (pairs or a dictionary) become a form, in the query where the method has no body. `body` instead is
        the text of one, whose type is among the headers."""
        lines = list(headers)
        data = urllib.parse.urlencode(fields, doseq=True) if fields else ""
        if cookie is not None:
            lines.append(("Cookie", cookie))
        if body is not None:
            data = body
        elif method == "POST":
            lines.append(("Content-Type", "application/x-www-form-urlencoded"))
        elif data:
            path, data = f"{path}{'&' if '?' in path else '?'}{data}", ""
        try:
            return self._ask(method, path, data, lines)
        except (http.client.RemoteDisconnected, ConnectionError):  # between two requests, as the server may
            self.close()
        try:
            return self._ask(method, path, data, lines)
        except ConnectionError:
            self.close()
            if len(path) + len(data) < _LARGE:
                raise
            return Answer(431, [], "")  # refused, and cut off because it went on sending

    def _ask(self, method, path, data, lines):
        if self._connection is None:
            address = urllib.parse.urlsplit(self._server.url)
            self._connection = http.client.HTTPConnection(address.hostname, address.port,
                                                          timeout=limit(self._timeout))
        connection = self._connection
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in lines:
            connection.putheader(name, value)
        sent = data.encode()
        connection.putheader("Content-Length", str(len(sent)))
        connection.endheaders(sent)
        answer = connection.getresponse()
        body = answer.read().decode("utf-8", "replace")
        if answer.will_close:
            self.close()
        return Answer(answer.status, answer.getheaders(), body)

    def token(self, cookie):
        """A token for forms of whoever sends this cookie header, and the header that goes with it."""
        answer = self.ask("GET", "/about", cookie)
        given = _VISITOR.search(" ".join(v for k, v in answer.headers if k.lower() == "set-cookie"))
        if given:
            cookie = f"{cookie}; {given[1]}" if cookie else given[1]
        return answer.token or "", cookie

    def close(self):
        """Ends the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
