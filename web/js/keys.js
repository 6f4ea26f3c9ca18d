/* keys.js - single keys, as people know them from elsewhere, and the list of them. They can get in the way of speech
   input, so they can be switched off there (WCAG 2.1.4). */

const storageKey = "retwis.keys";
let enabled = true;
try {
    enabled = localStorage.getItem(storageKey) !== "off";
} catch {
    /* storage may be forbidden; the choice then holds until the page is left */
}

const help = document.getElementById("keys-help");
const button = document.getElementById("keys");
const choice = document.getElementById("keys-on");

function showHelp() {
    choice.checked = enabled;
    help.showModal();
}

if (matchMedia("(hover: hover) and (pointer: fine)").matches) {
    button.hidden = false;
}
button.addEventListener("click", showHelp);
document.getElementById("keys-close").addEventListener("click", () => help.close());
choice.addEventListener("change", () => {
    enabled = choice.checked;
    try {
        localStorage.setItem(storageKey, enabled ? "on" : "off");
    } catch {
        /* as above */
    }
});

const current = () => document.activeElement?.closest("article.status");

function move(step) {
    const posts = [...document.querySelectorAll("article.status")];
    const at = posts.indexOf(current());
    const next = posts[at < 0 ? (step > 0 ? 0 : -1) : at + step];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
}

/* What a click on that part of the post at hand would do. */
const press = (selector) => () => current()?.querySelector(selector)?.click();
const go = (path) => () => document.querySelector(`.nav a[href="${path}"]`)?.click();

const actions = {
    n: () => document.querySelector(".nav-post a")?.click(),
    j: () => move(1),
    k: () => move(-1),
    o: press("a.status-time"),
    r: press("a.action[href$='#compose-status']"),
    l: press("button.favourite"),
    b: press("button.boost"),
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
