/* timeline.js - lists of posts and people: more of them, fewer of them, following from them. */
import { announce, get, here, sayOutcome, send, text, updateCounts } from "./page.js";

const automaticPages = 3; /* then it waits for a click, so that the end of the page can be reached */
let pagesLeft = automaticPages;

const timeline = (root = document) => root.getElementById("timeline");
const keyOf = (item) => item.dataset.id ?? item.dataset.name;
const itemsByKey = (list) => new Map([...list.children].map((item) => [keyOf(item), item]));

/* Puts in what the other page lists and this one does not, at the same places. False if the two do not touch: posts
   would be missing between them. */
export function mergeTimeline(other) {
    const list = timeline();
    const fresh = timeline(other);
    if (!list || !fresh) {
        return false;
    }
    const known = itemsByKey(list);
    const items = [...fresh.children];
    if (known.size > 0 && items.length > 0 && !items.some((item) => known.has(keyOf(item)))) {
        return false;
    }
    let last = null;
    for (const item of items) {
        let mine = known.get(keyOf(item));
        if (!mine) {
            mine = document.adoptNode(item);
            mine.classList.add("status-new");
            last ? last.after(mine) : list.prepend(mine);
        }
        last = mine;
    }
    if (items.length > 0) {
        list.parentElement.querySelector(".empty")?.remove();
    }
    return true;
}

async function loadOlder(link, moveFocus) {
    const nav = link.closest("nav");
    if (nav.dataset.busy) {
        return;
    }
    nav.dataset.busy = "true";
    link.setAttribute("aria-busy", "true");
    announce(text("Loading"));
    try {
        const page = await get(link.href);
        if (!page.ok || !timeline(page.document)) {
            throw new Error("no list");
        }
        const list = timeline();
        const known = itemsByKey(list);
        const items = [...timeline(page.document).children].filter((item) => !known.has(keyOf(item)));
        list.append(...items.map((item) => document.adoptNode(item)));
        const next = page.document.querySelector("a.older")?.closest("nav");
        next ? nav.replaceWith(document.adoptNode(next)) : nav.remove();
        announce(text("Loaded"));
        if (moveFocus) {
            (items[0]?.matches("article") ? items[0] : items[0]?.querySelector("a"))?.focus({ preventScroll: true });
        }
        watchEnd();
    } catch {
        delete nav.dataset.busy;
        link.removeAttribute("aria-busy");
        announce("");
        if (moveFocus) {
            location.assign(link.href); /* it was asked for: the browser can say what is wrong */
        } else {
            pagesLeft = 0;
        }
    }
}

const endWatcher = new IntersectionObserver(
    (entries) => {
        for (const entry of entries) {
            if (entry.isIntersecting && pagesLeft > 0) {
                pagesLeft--;
                loadOlder(entry.target, false);
            }
        }
    },
    { rootMargin: "600px" },
);

function watchEnd() {
    endWatcher.disconnect();
    const link = document.querySelector("a.older");
    if (link) {
        endWatcher.observe(link);
    }
}

async function follow(form, submitter) {
    const page = await send(form, submitter);
    if (!page) {
        return;
    }
    const selector = `form.follow[data-name="${CSS.escape(form.dataset.name)}"]`;
    const fresh = page.document.querySelector(selector);
    if (!fresh) {
        location.assign(page.url);
        return;
    }
    const hadFocus = form.contains(document.activeElement);
    for (const old of document.querySelectorAll(selector)) {
        const copy = document.importNode(fresh, true);
        old.replaceWith(copy);
        if (old === form && hadFocus) {
            copy.querySelector("button").focus();
        }
    }
    sayOutcome(page);
    updateCounts(page.document);
    /* Home gains or loses the posts of that person; its first page is what has just been loaded. */
    if (page.ok && location.pathname === "/home" && here() === "/home") {
        timeline().closest("section").replaceWith(document.adoptNode(timeline(page.document).closest("section")));
        watchEnd();
    }
}

async function remove(form, submitter) {
    const status = form.closest("article.status");
    const page = await send(form, submitter);
    if (!page) {
        return;
    }
    if (page.ok && status.classList.contains("status-large")) {
        location.assign(page.url);
        return;
    }
    sayOutcome(page);
    if (!page.ok) {
        return;
    }
    const neighbour = status.nextElementSibling ?? status.previousElementSibling ?? document.getElementById("main");
    status.remove();
    neighbour.focus({ preventScroll: true });
    updateCounts(page.document);
}

/* The buttons as they are afterwards; the page of the post has them, wherever this one stands in its timeline. */
async function react(form, submitter) {
    const status = form.closest("article.status");
    form.elements.next.value = status.querySelector("a.status-time").getAttribute("href");
    const page = await send(form, submitter);
    if (!page) {
        return;
    }
    const fresh = page.document.querySelector(`article.status[data-id="${CSS.escape(status.dataset.id)}"] form.reactions`);
    if (!page.ok || !fresh) {
        sayOutcome(page);
        return;
    }
    const pressed = submitter.classList.contains("favourite") ? ".favourite" : ".bookmark";
    const copy = document.importNode(fresh, true);
    form.replaceWith(copy);
    copy.querySelector(pressed).focus({ preventScroll: true });
    updateCounts(page.document);
}

document.addEventListener("submit", (event) => {
    const action = [["form.follow", follow], ["form.delete", remove], ["form.reactions", react]]
        .find(([form]) => event.target.matches(form))?.[1];
    if (action) {
        event.preventDefault();
        action(event.target, event.submitter);
    }
});
document.addEventListener("click", (event) => {
    const link = event.target.closest("a.older");
    if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        pagesLeft = automaticPages;
        loadOlder(link, true);
    }
});

watchEnd();
