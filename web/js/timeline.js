/* timeline.js - lists of posts and people: more of them, fewer of them, following from them. */
import { announce, get, here, isPlain, sayOutcome, send, text, updateCounts } from "./page.js";

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

let loading = null; /* the page that is on its way */

/* Puts the next older page behind what is there; false if there was none to be had. */
async function bringOlder(link, moveFocus) {
    const nav = link.closest("nav");
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
        return true;
    } catch {
        link.removeAttribute("aria-busy");
        announce("");
        if (moveFocus) {
            location.assign(link.href); /* it was asked for: the browser can say what is wrong */
        } else {
            pagesLeft = 0;
        }
        return false;
    }
}

/* One page at a time: whoever asks while one is on its way waits for that one. */
export function loadOlder(moveFocus = false) {
    const link = document.querySelector("a.older");
    if (!loading && link) {
        loading = bringOlder(link, moveFocus).finally(() => (loading = null));
    }
    return loading ?? Promise.resolve(false);
}

/* The entry of the list by its key, and the other way round. */
export const itemOf = (key) => [...(timeline()?.children ?? [])].find((item) => keyOf(item) === key);
export const items = () => [...(timeline()?.children ?? [])];
export { keyOf };

const endWatcher = new IntersectionObserver(
    (entries) => {
        for (const entry of entries) {
            if (entry.isIntersecting && pagesLeft > 0) {
                pagesLeft--;
                loadOlder();
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

/* The list as another page has it, with all that stands around it. */
function showAnew(other) {
    const fresh = timeline(other)?.closest("section");
    if (fresh) {
        timeline().closest("section").replaceWith(document.adoptNode(fresh));
        watchEnd();
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
        if (old === form) { /* what it says now, before what another press would do */
            copy.classList.add("just-pressed");
            for (const leaving of ["pointerleave", "focusout"]) {
                copy.addEventListener(leaving, () => copy.classList.remove("just-pressed"), { once: true });
            }
            hadFocus && copy.querySelector("button").focus();
        }
    }
    sayOutcome(page);
    updateCounts(page.document);
    /* Home gains or loses the posts of that person; its first page is what has just been loaded. */
    if (page.ok && location.pathname === "/home" && here() === "/home") {
        showAnew(page.document);
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
    if (timeline() && timeline().children.length === 0) {
        showAnew(page.document); /* what it says when there is nothing, or what lies behind */
    }
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
    const pressed = [".boost", ".favourite", ".bookmark"].find((button) => submitter.matches(button));
    const copy = document.importNode(fresh, true);
    if (!form.querySelector(".pin")) { /* it belongs to the page of the post */
        copy.querySelector(".pin")?.remove();
    }
    form.replaceWith(copy);
    copy.querySelector(pressed).focus({ preventScroll: true });
    updateCounts(page.document);
}

document.addEventListener("submit", (event) => {
    const action = [["form.follow", follow], ["form.delete", remove], ["form.reactions", react]]
        .find(([form]) => event.target.matches(form))?.[1];
    if (action && !event.submitter?.matches(".pin, [name=redraft]")) { /* these change more of the page than a button */
        event.preventDefault();
        action(event.target, event.submitter);
    }
});
document.addEventListener("click", (event) => {
    const link = event.target.closest("a.older");
    if (link && isPlain(event)) {
        event.preventDefault();
        pagesLeft = automaticPages;
        loadOlder(true);
    }
});

/* The whole post opens it, but for what does something itself, and for who marks text with the mouse. */
document.addEventListener("click", (event) => {
    const status = event.target.closest("article.status:not(.status-large)");
    if (status && isPlain(event) && getSelection().isCollapsed &&
        !event.target.closest("a, button, summary, form, input, label, details.delete")) {
        status.querySelector("a.status-time").click();
    }
});

watchEnd();
