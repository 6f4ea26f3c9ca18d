/* timeline.js - lists of posts and people: more of them, fewer of them, following from them. */
import { announce, get, here, isPlain, say, sayOutcome, send, text, updateCounts } from "./page.js";

const automaticPages = 3; /* then it waits for a click, so that the end of the page can be reached */
let pagesLeft = automaticPages;

const timeline = (root = document) => root.getElementById("timeline");
const keyOf = (item) => item.dataset.id ?? item.dataset.name ?? item.id.replace("post-", "");
const itemsByKey = (list) => new Map([...list.children].map((item) => [keyOf(item), item]));

/* A post takes the focus though it is nothing to stop at with the Tab key. */
export function focusOn(element) {
    if (element?.matches("article")) {
        element.tabIndex = -1;
    }
    element?.focus({ preventScroll: true });
}

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
        list.closest("section").querySelector(".empty")?.remove();
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
            focusOn(items[0]?.matches("article") ? items[0] : items[0]?.querySelector("a"));
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

/* A button to follow, in a form of its own or among others, is replaced by that of the other page. */
async function follow(form, submitter) {
    const page = await send(form, submitter);
    if (!page) {
        return;
    }
    const name = CSS.escape((form.matches(".follow") ? form : submitter.closest("[data-name]")).dataset.name);
    const places = [`form.follow[data-name="${name}"]`, `.latest [data-name="${name}"] > button`];
    let found = false;
    for (const place of places) {
        const fresh = page.document.querySelector(place);
        for (const old of fresh ? document.querySelectorAll(place) : []) {
            const copy = document.importNode(fresh, true);
            const hadFocus = old.contains(document.activeElement);
            old.replaceWith(copy);
            if (old.contains(submitter)) { /* what it says now, before what another press would do */
                found = true;
                const around = copy.matches("form") ? copy : copy.parentElement;
                around.classList.add("just-pressed");
                for (const leaving of ["pointerleave", "focusout"]) {
                    around.addEventListener(leaving, () => around.classList.remove("just-pressed"), { once: true });
                }
            }
            hadFocus && (copy.querySelector("button") ?? copy).focus();
        }
    }
    if (!found) {
        location.assign(page.url);
        return;
    }
    sayOutcome(page);
    updateCounts(page.document);
    /* Home gains or loses the posts of that person; its first page is what has just been loaded. */
    if (page.ok && location.pathname === "/home" && here() === "/home") {
        showAnew(page.document);
    }
}

async function remove(form, submitter) {
    const status = menuOf;
    const page = await send(form, submitter);
    closeMenu();
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
    focusOn(neighbour);
    updateCounts(page.document);
}

/* The buttons as they are afterwards: the page of the post's menu has them, wherever this one stands in its timeline. */
const isAct = (button) => /^(un)?(boost|favourite|bookmark)$/.test(button.name);
const acts = (status) => [...status.querySelectorAll("button")].filter(isAct);

async function react(form, submitter) {
    const status = submitter.closest("article.status");
    const page = await send(form, submitter, `/posts/${keyOf(status)}/menu`);
    if (!page) {
        return;
    }
    const fresh = page.document.querySelector("article.status");
    if (!page.ok || !fresh || keyOf(fresh) !== keyOf(status)) {
        sayOutcome(page);
        return;
    }
    const pressed = submitter.name.replace(/^un/, "");
    for (const old of acts(status)) {
        const copy = document.importNode(acts(fresh).find((b) => b.name.replace(/^un/, "") === old.name.replace(/^un/, "")), true);
        copy.value = old.value;
        old.replaceWith(copy);
        copy.name.endsWith(pressed) && copy.focus({ preventScroll: true });
    }
    updateCounts(page.document);
}

document.addEventListener("submit", (event) => {
    const button = event.submitter;
    const action = event.target.matches("form.follow") || button?.matches(".latest button") ? follow
        : event.target.matches(".post-menu:popover-open form.delete") && button.name !== "redraft" ? remove
        : button && isAct(button) ? react : null;
    if (action) {
        event.preventDefault();
        action(event.target, button);
    }
});

/* --- the menu of a post: the list of its page, over the page that one is on --- */

let menuOf = null; /* the post whose menu is open */
let menu = null;

function closeMenu() {
    menu?.remove();
    menu = null;
}

async function openMenu(button) {
    closeMenu();
    const status = button.closest("article.status");
    const path = `/posts/${keyOf(status)}/menu`;
    try {
        const page = await get(path);
        menu = document.adoptNode(page.document.querySelector(".post-menu"));
    } catch {
        location.assign(path);
        return;
    }
    menuOf = status;
    menu.popover = "auto";
    document.body.append(menu);
    menu.showPopover();
    const at = button.getBoundingClientRect();
    menu.style.left = `${Math.max(8, at.right + scrollX - menu.offsetWidth)}px`;
    const below = at.bottom + menu.offsetHeight < innerHeight || at.top < menu.offsetHeight;
    menu.style.top = `${scrollY + (below ? at.bottom : at.top - menu.offsetHeight)}px`;
    menu.querySelector("a, button").focus({ preventScroll: true });
    menu.addEventListener("toggle", (event) => {
        if (event.newState === "closed") {
            const hadFocus = !document.activeElement || document.activeElement === document.body || menu?.contains(document.activeElement);
            closeMenu();
            hadFocus && button.focus({ preventScroll: true });
        }
    });
}

/* Without scripts the menu stands on the page of the post; with them there is a button for it at each. */
function addMenuButtons() {
    for (const last of document.querySelectorAll("article.status > button:last-child:not(.i-more)")) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "i-more";
        button.textContent = text("More");
        button.ariaHasPopup = "menu";
        last.after(button);
    }
}

async function copyLink(link) {
    const list = link.closest(".post-menu");
    try {
        await navigator.clipboard.writeText(link.href);
        say(link.dataset.said);
        closeMenu();
    } catch { /* only secure pages may: it is there to be taken */
        list.classList.add("is-asked");
        list.querySelector("input").select();
    }
}

document.addEventListener("click", (event) => {
    const more = event.target.closest("article.status > .i-more");
    const link = event.target.closest(".post-menu .copy a");
    if (more) {
        openMenu(more);
    } else if (link && isPlain(event)) {
        event.preventDefault();
        copyLink(link);
    }
});

addEventListener("resize", closeMenu); /* it stands where its button was */
addMenuButtons();
new MutationObserver(addMenuButtons).observe(document.getElementById("main"), { childList: true, subtree: true });

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
        !event.target.closest("a, button, summary, input, label")) {
        status.querySelector("a.at").click();
    }
});

watchEnd();
