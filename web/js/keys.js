/* keys.js - single keys, as people know them from elsewhere, and the list of them. They can get in the way of speech
   input, so they can be switched off there (WCAG 2.1.4). */

import { get, isPlain } from "./page.js";
import { focusOn } from "./timeline.js";

const storageKey = "retwis.keys";
let enabled = true;
try {
    enabled = localStorage.getItem(storageKey) !== "off";
} catch {
    /* storage may be forbidden; the choice then holds until the page is left */
}

/* The list of the page /keys, over the page that one is on. */
async function showHelp() {
    const link = document.getElementById("keys");
    try {
        const page = await get(link.href);
        const help = document.createElement("dialog");
        help.className = "dialog";
        help.id = "keys-help";
        const title = document.createElement("h2");
        title.textContent = help.ariaLabel = page.document.querySelector("h1").textContent;
        help.append(title, document.adoptNode(page.document.getElementById("keys-list")));
        help.addEventListener("close", () => help.remove());
        help.addEventListener("click", (event) => event.target.matches("#keys-help, #keys-close") && help.close());
        help.querySelector("#keys-close").hidden = false;
        document.body.append(help);
        help.showModal();
        showChoice();
    } catch {
        location.assign(link.href);
    }
}

function showChoice() {
    const choice = document.getElementById("keys-on");
    if (choice) {
        choice.checked = enabled;
    }
}

document.addEventListener("click", (event) => {
    if (event.target.closest("#keys") && isPlain(event)) {
        event.preventDefault();
        showHelp();
    }
});
document.addEventListener("change", (event) => {
    if (event.target.id !== "keys-on") {
        return;
    }
    enabled = event.target.checked;
    try {
        localStorage.setItem(storageKey, enabled ? "on" : "off");
    } catch {
        /* as above */
    }
});
showChoice();

const current = () => document.activeElement?.closest("article.status");

function move(step) {
    const posts = [...document.querySelectorAll("article.status")];
    const at = posts.indexOf(current());
    const next = posts[at < 0 ? (step > 0 ? 0 : -1) : at + step];
    focusOn(next);
    next?.scrollIntoView({ block: "nearest" });
}

/* What a click on that part of the post at hand would do. */
const press = (selector) => () => current()?.querySelector(selector)?.click();
const go = (path) => () => document.querySelector(`.nav a[href="${path}"]`)?.click();

const actions = {
    n: () => document.querySelector(".nav-post a")?.click(),
    j: () => move(1),
    k: () => move(-1),
    o: press("a.at"),
    r: press("a[href$='#reply']"),
    l: press("button[name$=favourite]"),
    b: press("button[name$=boost]"),
    ".": press(".i-more"),
    "/": () => document.querySelector('input[type="search"]')?.focus(),
    "g h": go("/home"),
    "g n": go("/notifications"),
    "?": showHelp,
};
let before = ""; /* "g", when it was the last key */

document.addEventListener("keydown", (event) => {
    if (!enabled || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey || event.isComposing ||
        event.target.closest("input, textarea, select, [contenteditable]")) {
        return;
    }
    const isPost = event.target.matches("article.status"); /* elsewhere Enter is the browser's */
    const action = actions[before ? `${before} ${event.key}` : event.key === "Enter" && isPost ? "o" : event.key];
    before = event.key === "g" && !before ? "g" : "";
    if (action) {
        event.preventDefault();
        action();
    }
});
