/* keys.js - n, j and k. Single keys can get in the way of speech input, so they can be switched off (WCAG 2.1.4). */

const storageKey = "retwis.keys";
let enabled = true;
try {
    enabled = localStorage.getItem(storageKey) !== "off";
} catch {
    /* storage may be forbidden; the keys then work until the page is left */
}

const button = document.getElementById("keys");
if (button && matchMedia("(hover: hover) and (pointer: fine)").matches) {
    button.hidden = false;
    button.setAttribute("aria-pressed", enabled);
    button.addEventListener("click", () => {
        enabled = !enabled;
        button.setAttribute("aria-pressed", enabled);
        try {
            localStorage.setItem(storageKey, enabled ? "on" : "off");
        } catch {
            /* as above */
        }
    });
}

function compose() {
    const box = document.getElementById("compose-status");
    if (box) {
        box.focus();
    } else {
        document.querySelector('.nav-post a[href^="/home"]')?.click();
    }
}

function move(step) {
    const posts = [...document.querySelectorAll("article.status")];
    const current = posts.indexOf(document.activeElement?.closest("article.status"));
    const next = posts[current < 0 ? (step > 0 ? 0 : -1) : current + step];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
    if (!enabled || event.ctrlKey || event.metaKey || event.altKey || event.isComposing ||
        event.target.closest("input, textarea, select, [contenteditable]")) {
        return;
    }
    const action = { n: compose, j: () => move(1), k: () => move(-1) }[event.key];
    if (action) {
        event.preventDefault();
        action();
    }
});
