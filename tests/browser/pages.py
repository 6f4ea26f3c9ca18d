"""Every page of the site in the states worth looking at: who looks, and how he gets there."""

import urllib.parse

from town import POSTS

OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
LONG_WORD = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"


class View:
    """A page: its name, who looks at it (a name of the town, "newcomer" or None), the address, and what to do there.
    `status` is that of the answer; `scripts` names what needs JavaScript to be seen."""

    def __init__(self, name, who, path, then=None, status=200):
        self.name = name
        self.who = who
        self.path = path
        self.then = then
        self.status = status

    def open(self, chrome, town):
        """Goes there."""
        if self.who:
            chrome.become(town.newcomer if self.who == "newcomer" else town[self.who])
        chrome.open(self.path(town) if callable(self.path) else self.path)
        if self.then:
            self.then(chrome)
        return self


def _sign_up_wrong(chrome):
    chrome.fill("#field-username", "a name").fill("#field-password", "short").click("form.sign-up button")
    chrome.one(".error-summary")


def _sign_in_wrong(chrome):
    chrome.fill("#sign_in-username", "ada_moreno").fill("#sign_in-password", "not this one").click("form.sign-in button")
    chrome.one(".error-summary")


def _post_too_long(chrome):
    chrome.post(f"{LONG_WORD} " * 9)
    chrome.one(".error[data-field=status]")


def _profile_too_long(chrome):
    chrome.fill("#field-display_name", LONG_WORD).fill("#field-bio", "What was I going to say?\n" * 40)
    chrome.click("form.settings-profile button")
    chrome.one(".error-summary")


def _password_wrong(chrome):
    chrome.fill("#field-current_password", "no idea").fill("#field-password", "ten letters").fill("#field-password2", "eleven")
    chrome.click("form.settings-password button")
    chrome.one(".error-summary")


def _follow_many(chrome):
    chrome.click(".fold summary")
    chrome.fill("#field-names", "kenji, nobody_of_that_name, ada_moreno, lin_wei")
    chrome.click_text("Follow all")
    chrome.one(".result[data-name=kenji]")


def _ask_delete(chrome):
    chrome.click(".post-more > summary").click("details.delete summary")


def _open_menu(chrome):
    chrome.click(chrome.all(".status > .i-more")[0])
    chrome.wait(lambda: chrome.has(".post-menu:popover-open"), "the menu opens")


def _list_title_too_long(chrome):
    chrome.fill("#field-title", LONG_WORD).click("form.list-create button")
    chrome.one(".error[data-field=title]")


def _list_add(chrome):
    chrome.fill("#field-names", "kenji, nobody_of_that_name, the_longest_name_allowed_here1").click("form.list-add button")
    chrome.one(".result[data-name=kenji]")


def _ask_delete_list(chrome):
    chrome.click("details.list-delete summary")


def _open_lists(chrome):
    chrome.click("details.on-lists summary")


def _in_language(code):
    def choose(chrome):
        chrome.open(f"{chrome.path}?lang={code}")
        chrome.wait(lambda: chrome.has(f"html[lang={code}]"), f"the page is in {code}")
    return choose


ANSWERED = next(i for i, (_, text, _) in enumerate(POSTS) if "never lend" in text)
ANSWER = ANSWERED + 2

_apps = {}  # client ids, by town


def _question(town, **fields):
    """Address of an app's question whether it may act in one's name."""
    if town not in _apps:
        said = town.server.cli("app", "create", "Pocket Birds", "--redirect-uri",
                               "https://birds.example/back\n" + OUT_OF_BAND, "--scopes", "read write follow push", "--website", "https://birds.example")
        _apps[town] = said.split()[1]
        town.server.cli("app", "token", "ada_moreno", "--app", _apps[town], "--scopes", "read write:lists write:statuses")
    asked = {"response_type": "code", "client_id": _apps[town], "redirect_uri": "https://birds.example/back",
             "scope": "read write follow push", **fields}
    return "/oauth/authorize?" + urllib.parse.urlencode(asked)


def _settings_apps(town):
    _question(town)
    return "/settings/apps"


def _let_in(chrome):
    chrome.click("form.oauth-answer .button-primary")
    chrome.wait(lambda: chrome.has("#oauth-code"), "the code is shown")


VIEWS = [
    View("landing", None, "/"),
    View("landing.zh-CN", None, "/", _in_language("zh-CN")),
    View("landing.ro", None, "/", _in_language("ro")),
    View("sign_up", None, "/auth/sign_up"),
    View("sign_up.errors", None, "/auth/sign_up", _sign_up_wrong, 422),
    View("sign_in", None, "/auth/sign_in"),
    View("sign_in.errors", None, "/auth/sign_in", _sign_in_wrong, 422),
    View("public.signed_out", None, "/public"),
    View("profile.signed_out", None, "/@ada_moreno"),
    View("post.signed_out", None, lambda town: town.path_of(ANSWERED)),
    View("about", None, "/about"),
    View("error.404", None, "/@nobody_of_that_name", status=404),
    View("home", "ada_moreno", "/home"),
    View("home.older", "ada_moreno", lambda town: f"/home?max_id={town.ids[8]}"),
    View("home.end", "ada_moreno", lambda town: f"/home?max_id={town.ids[0]}"),
    View("home.errors", "ada_moreno", "/home", _post_too_long, 422),
    View("home.empty", "newcomer", "/home"),
    View("welcome", "newcomer", "/welcome"),
    View("welcome.nobody", "ada_moreno", "/welcome"),
    View("home.zh-CN", "lin_wei", "/home", _in_language("zh-CN")),
    View("home.es", "miguel_o", "/home", _in_language("es")),
    View("home.ro", "ioana_p", "/home", _in_language("ro")),
    View("notifications", "ada_moreno", "/notifications"),
    View("messages", "ada_moreno", "/messages"),
    View("compose", "sam", "/compose"),
    View("public", "sam", "/public"),
    View("tag", "sam", "/tags/askretwis"),
    View("tag.empty", "sam", "/tags/" + LONG_WORD),
    View("tags", "ada_moreno", "/tags"),
    View("tags.empty", "newcomer", "/tags"),
    View("search", "sam", "/search?q=never"),
    View("search.begin", None, "/search"),
    View("search.empty", "sam", "/search?q=" + LONG_WORD + "xyz"),
    View("search.people", "ada_moreno", "/search?q=@l"),
    View("search.tags", None, "/search?q=%23a"),
    View("profile", "ioana_p", "/@ada_moreno"),
    View("profile.replies", "ioana_p", "/@ada_moreno/replies"),
    View("profile.own", "ada_moreno", "/@ada_moreno"),
    View("profile.right_to_left", "ada_moreno", "/@layla_h"),
    View("profile.long", "ada_moreno", "/@the_longest_name_allowed_here1"),
    View("profile.empty", "ada_moreno", "/@quiet_one"),
    View("following", "sam", "/@ada_moreno/following"),
    View("following.empty", "newcomer", "/@newcomer/following"),
    View("following.results", "kenji", "/@kenji/following", _follow_many),
    View("followers", "miguel_o", "/@ada_moreno/followers"),
    View("followers.empty", "newcomer", "/@newcomer/followers"),
    View("post", "ioana_p", lambda town: town.path_of(ANSWERED)),
    View("post.own", "ada_moreno", lambda town: town.path_of(ANSWER), _ask_delete),
    View("post.right_to_left", "layla_h", lambda town: town.path_of(ANSWERED + 3)),
    View("post.boosts", "sam", lambda town: f"/posts/{town.ids[0]}/boosts"),
    View("post.boosted", "sam", lambda town: town.path_of(0)),
    View("post.edit", "ada_moreno", lambda town: f"/posts/{town.ids[ANSWER]}/edit"),
    View("post.menu", "ada_moreno", lambda town: f"/posts/{town.ids[ANSWER]}/menu"),
    View("post.menu.open", "sam", "/home", _open_menu),
    View("post.menu.signed_out", None, lambda town: f"/posts/{town.ids[0]}/menu"),
    View("keys", None, "/keys"),
    View("developers", None, "/developers"),
    View("oauth", "ada_moreno", _question),
    View("oauth.sign_in", None, _question),
    View("oauth.error", None, lambda town: _question(town, scope="nonsense"), status=422),
    View("oauth.code", "ada_moreno", lambda town: _question(town, redirect_uri=OUT_OF_BAND), _let_in),
    View("settings.apps", "ada_moreno", _settings_apps),
    View("settings.apps.empty", "newcomer", "/settings/apps"),
    View("post.history", None, lambda town: f"/posts/{town.ids[ANSWER]}/history"),
    View("lists", "ada_moreno", "/lists"),
    View("lists.errors", "ada_moreno", "/lists", _list_title_too_long, 422),
    View("lists.empty", "newcomer", "/lists"),
    View("list", "ada_moreno", lambda town: town.lists[0]),
    View("list.empty", "ada_moreno", lambda town: town.lists[1]),
    View("list_members", "ada_moreno", lambda town: town.lists[0] + "/members", _ask_delete_list),
    View("list_members.results", "ada_moreno", lambda town: town.lists[0] + "/members", _list_add),
    View("list_members.empty", "ada_moreno", lambda town: town.lists[1] + "/members"),
    View("profile.lists", "ada_moreno", "/@miguel_o", _open_lists),
    View("profile.menu", "ada_moreno", "/@miguel_o", lambda chrome: chrome.click("details.person-menu:not(.person-note) > summary")),
    View("requests", "bo3", "/requests"),
    View("requests.empty", "ada_moreno", "/requests"),
    View("settings_filters", "kenji", "/settings/filters"),
    View("settings_filters.empty", "ada_moreno", "/settings/filters"),
    View("settings_apart.no_mutes", "ada_moreno", "/settings/mutes"),
    View("settings_apart.no_blocks", "ada_moreno", "/settings/blocks"),
    View("settings_profile", "ada_moreno", "/settings/profile"),
    View("settings_profile.errors", "ada_moreno", "/settings/profile", _profile_too_long, 422),
    View("settings_password", "ada_moreno", "/settings/password"),
    View("settings_password.errors", "ada_moreno", "/settings/password", _password_wrong, 422),
    View("settings_sessions", "ada_moreno", "/settings/sessions"),
    View("settings_preferences", "ada_moreno", "/settings/preferences"),
    View("error.404.signed_in", "ada_moreno", "/nothing/here", status=404),
]
