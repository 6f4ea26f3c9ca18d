"""A real browser, driven as a person would: Debian's Chromium, headless, with a profile of its own.

    chrome.visit(server)                  # forgets everything, and sees that server from now on
    chrome.open("/public"); chrome.click("a.at"); chrome.text("h1")

Selectors are CSS, and should be the hooks of web/templates/README.md. Nothing here sleeps for a fixed time.
"""

import atexit
import base64
import os
import shutil
import tempfile
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import (ElementClickInterceptedException, JavascriptException,
                                        StaleElementReferenceException, WebDriverException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from retwis_process import wait_until
from retwis_server import REPOSITORY

SCREENSHOTS = os.path.join(REPOSITORY, "build", "screenshots")
DESK = (1280, 900)
PHONE = (390, 844)
WAIT_SECONDS = 20
# What a page puts off by seconds waits until a test says that they are over (Chrome.later): no test reads a clock.
HOLD_TIMERS = """(() => { const real = window.setTimeout; window.held = [];
    window.setTimeout = (f, ms, ...rest) => ms >= 5000 ? -held.push(f) : real(f, ms, ...rest); })()"""

_HERE = os.path.dirname(os.path.abspath(__file__))
_FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
          "--disable-component-update", "--disable-sync", "--disable-quic", "--force-color-profile=srgb",
          "--hide-scrollbars", "--lang=en-US", "--process-per-site",
          # Headless, it believes that there is no mouse.
          "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"]


class Chrome:
    """One window. `javascript` False is the setting of a person who has switched it off; prefs are other settings; programs
    in the directory `tools` come before the machine's, where the browser starts one."""

    def __init__(self, javascript=True, prefs=None, tools=None):
        self.javascript = javascript
        self.server = None
        self._profile = tempfile.mkdtemp(prefix="rt-chrome-", dir="/tmp")
        options = webdriver.ChromeOptions()
        for flag in _FLAGS + [f"--user-data-dir={self._profile}", f"--window-size={DESK[0]},{DESK[1]}"]:
            options.add_argument(flag)
        prefs = {"intl.accept_languages": "en-US,en", "credentials_enable_service": False, **(prefs or {})}
        if not javascript:
            prefs["profile.default_content_setting_values.javascript"] = 2
        options.add_experimental_option("prefs", prefs)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1,localhost"  # between us and the driver
        path = f"{tools}:{os.environ['PATH']}" if tools else os.environ["PATH"]
        self._service = Service("/usr/bin/chromedriver", env={**os.environ, "PATH": path})
        self.driver = webdriver.Chrome(service=self._service, options=options)
        self._init_scripts = []
        atexit.register(self.close)

    def close(self):
        """Ends browser and driver, and removes the profile."""
        atexit.unregister(self.close)
        try:
            self.driver.quit()
        finally:
            self._service.stop()
            shutil.rmtree(self._profile, ignore_errors=True)

    def cdp(self, command, **parameters):
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(command, parameters)

    # --- who looks, and at what ---

    def visit(self, server):
        """A new visitor at the desk: no cookie, no storage, light colours, empty log."""
        self.driver.get(server.url + "/health")  # not about:blank, for which, and after which, Chromium starts another process
        self.server = server
        while self._init_scripts:
            self.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=self._init_scripts.pop())
        self.cdp("Network.clearBrowserCookies")
        self.cdp("Storage.clearDataForOrigin", origin=server.url, storageTypes="all")
        self.scheme("light")
        self.desk()
        self.before_pages(HOLD_TIMERS)
        self.log()
        return self

    def become(self, browser):
        """Takes over the session of a visitor of the end-to-end tests (retwis_browser.Browser); None signs out."""
        self.cdp("Network.clearBrowserCookies")
        if browser is not None:
            self.cdp("Network.setCookie", name="retwis", value=browser.cookie, url=self.server.url, httpOnly=True,
                     sameSite="Lax")
        return self

    def before_pages(self, script):
        """Runs a script in every page before its own."""
        self._init_scripts.append(self.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"])

    def scheme(self, name):
        """Light or dark."""
        self.cdp("Emulation.setEmulatedMedia", media="screen",
                 features=[{"name": "prefers-color-scheme", "value": name},
                           {"name": "prefers-reduced-motion", "value": "reduce"}])

    def desk(self, width=DESK[0], height=DESK[1]):
        """A window with a mouse."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=False)

    def later(self):
        """The seconds are over that this page has put something off by."""
        self.run("held.splice(0).forEach((f) => f())")
        return self

    def phone(self, width=PHONE[0], height=PHONE[1]):
        """A small screen with a thumb."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
        self.before_pages("""const real = window.matchMedia;  // a thumb does not hover; this the emulation leaves out
            window.matchMedia = (query) => query.includes("hover") ? { matches: false } : real.call(window, query);""")

    # --- pages ---

    def open(self, path):
        """Types an address."""
        self.driver.get(self.server.url + path)
        return self

    @property
    def path(self):
        """Path and query of the page that is shown."""
        parts = urllib.parse.urlsplit(self.driver.current_url)
        return urllib.parse.unquote(parts.path) + (f"?{parts.query}" if parts.query else "")

    def all(self, selector):
        """Every element of that selector."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        """The only one of them; waits for it."""
        found = self.wait(lambda: self.all(selector), f"there is {selector}")
        assert len(found) == 1, f"{len(found)} elements for {selector} on {self.path}"
        return found[0]

    def has(self, selector):
        """Whether there is one now."""
        return bool(self.all(selector))

    def texts(self, selector):
        """The visible text of each of them."""
        return [e.text for e in self.all(selector)]

    def text(self, selector):
        """The visible text of the only one."""
        return self.one(selector).text

    @property
    def posts(self):
        """The texts of the posts, in the order of the page."""
        return self.texts(".text")

    @property
    def counts(self):
        """The numbers of the head of a page with their words: "3 Posts"."""
        return [" ".join(text.split()) for text in self.texts("main .counts li")]

    @property
    def flash(self):
        """What the page says about the last action."""
        said = self.all("#flash .flash > span")
        return said[0].text if said else ""

    def wait(self, condition, what):
        """Polls; elements that are replaced meanwhile are looked up again."""
        def safe():
            try:
                return condition()
            except StaleElementReferenceException:
                return None
            except WebDriverException as e:  # what the driver says when the page went away while it looked
                if "does not belong to the document" not in str(e):
                    raise
                return None

        return wait_until(safe, WAIT_SECONDS, what)

    def run(self, script, *arguments):
        """Runs a script in the page; what it returns."""
        return self.driver.execute_script(script, *arguments)

    def check(self, function, *arguments):
        """Calls a function of checks.js in the page."""
        with open(os.path.join(_HERE, "checks.js"), encoding="utf-8") as f:
            return self.run(f"{f.read()}\nreturn checks.{function}(...arguments);", *arguments)

    # --- what a person does ---

    def click(self, selector):
        """Clicks the only element of that selector (or the element itself). What opens or sends a page has been
        answered when this returns."""
        element = self.one(selector) if isinstance(selector, str) else selector
        try:
            element.click()
        except ElementClickInterceptedException:  # a bar that stays in sight lies above it: a person scrolls on
            self.run("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
        return self

    def click_text(self, text, within="body"):
        """Clicks the only visible link or button with that text."""
        found = [e for e in self.driver.find_elements(By.CSS_SELECTOR, f"{within} a, {within} button, {within} summary")
                 if e.is_displayed() and e.text.strip() == text]
        assert len(found) == 1, f"{len(found)} links or buttons say {text!r} on {self.path}"
        return self.click(found[0])

    def delete_post(self, post, how="button-danger"):
        """Takes a post back by its menu: over the list with scripts, on the post's own page without."""
        if self.javascript:
            self.click(post.find_element(By.CSS_SELECTOR, ".i-more"))
            self.wait(lambda: self.has(".post-menu:popover-open"), "the menu is open")
        else:
            self.click(post.find_element(By.CSS_SELECTOR, "a.at")).click(".post-more > summary")
        return self.click("details.delete summary").click(f"form.delete .{how}")

    def fill(self, selector, text):
        """Types into an empty field. Characters beyond the Basic Multilingual Plane go in as a paste would."""
        field = self.one(selector)
        field.clear()
        if all(ord(c) < 0x10000 for c in text) and len(text) < 200:
            field.send_keys(text.replace("\n", Keys.ENTER))
        else:
            self.click(field)
            self.cdp("Input.insertText", text=text)
        return self

    def keys(self, *keys):
        """Presses keys, one after the other, wherever the focus is."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()
        return self

    def chord(self, modifier, key):
        """Presses two keys together."""
        ActionChains(self.driver, duration=0).key_down(modifier).send_keys(key).key_up(modifier).perform()
        return self

    def post(self, text):
        """Writes into the box of this page and sends it."""
        return self.fill("#compose-status", text).click("#compose button")

    # --- what came of it ---

    def mark(self):
        """Marks this document: `stayed` tells whether the page has been left since."""
        self.run("window.marked = true")
        return self

    @property
    def stayed(self):
        """Whether the marked document is still there."""
        try:
            return bool(self.run("return window.marked === true"))
        except JavascriptException:
            return False

    @property
    def focused(self):
        """The element that has the focus."""
        return self.driver.switch_to.active_element

    def log(self):
        """What the console said since the last call: errors and warnings, violations of the policy among them."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "DEBUG"]

    def source(self, browser=None):
        """The HTML of this page as the server sends it."""
        response = browser.get(self.path, expect=None)
        return response.text

    def screenshot(self, name):
        """Keeps what is seen now as build/screenshots/<name>.png."""
        os.makedirs(SCREENSHOTS, exist_ok=True)
        path = os.path.join(SCREENSHOTS, f"{name}.png")
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.cdp("Page.captureScreenshot", optimizeForSpeed=True)["data"]))
        return path
