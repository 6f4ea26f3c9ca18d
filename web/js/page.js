/* page.js - fetching pages of our own and taking parts out of them. The only place that parses HTML; what is parsed is
   a page that the server would have shown, and it is adopted as nodes, never as text. */

const policy = globalThis.trustedTypes?.createPolicy("retwis", { createHTML: (html) => html });

export const text = (name) => document.body.dataset[`text${name}`];
export const here = () => location.pathname + location.search;

/* A click that means what clicks mean mostly, not a new tab or window. */
export const isPlain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

/* A page: { ok, status, url, document }. Throws when there is no answer, or it is not a page. */
async function load(url, options = {}) {
    const response = await fetch(url, {
        ...options,
        credentials: "same-origin",
        headers: { Accept: "text/html", "X-Requested-With": "fetch" },
    });
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) {
        throw new Error("not a page");
    }
    const html = await response.text();
    return {
        ok: response.ok,
        status: response.status,
        url: response.url,
        document: new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html"),
    };
}

export const get = load;

/* Sends a form as the browser would, and returns the page that came of it; null after a failure, which has been said
   already. Once at a time: of a form that is around many things, each of its buttons. `next`: where it leads instead. */
export async function send(form, submitter, next) {
    const busy = submitter?.matches("[formaction], [value]") ? submitter : form;
    if (busy.dataset.busy) {
        return null;
    }
    busy.dataset.busy = "true";
    submitter?.setAttribute("aria-busy", "true");
    try {
        const body = new URLSearchParams(new FormData(form, submitter));
        next && body.set("next", next);
        return await load(submitter?.getAttribute("formaction") ?? form.getAttribute("action"), { method: "POST", body });
    } catch {
        say(text("Offline"), true);
        return null;
    } finally {
        delete busy.dataset.busy;
        submitter?.removeAttribute("aria-busy");
    }
}

const flashSeconds = 8; /* what went well need not stay; what did not, does until the next message */
let flashTimer = 0;

/* The line that says what came of it; it is a live region. It lies over the page where it can be seen from anywhere, and
   so moves nothing. */
export function say(words, isError = false, more = []) {
    const line = document.createElement("p");
    line.className = isError ? "flash flash-over flash-error" : "flash flash-over";
    const said = document.createElement("span");
    said.textContent = words;
    line.append(said, ...more);
    document.getElementById("flash").replaceChildren(line);
    clearTimeout(flashTimer);
    flashTimer = isError ? 0 : setTimeout(() => line.remove(), flashSeconds * 1000);
}

/* Only for those who listen. */
export function announce(words) {
    document.getElementById("announce").textContent = words;
}

/* What another page says about its outcome: its flash, or else its heading when it is an error. An error that stands
   beside its field says it there. */
export function sayOutcome(page) {
    const flash = page.document.querySelector("#flash .flash");
    if (flash) {
        const more = [...flash.querySelectorAll("a, button")].map((node) => document.importNode(node, true));
        say(flash.querySelector("span").textContent, flash.classList.contains("flash-error"), more);
        const undo = page.document.getElementById("undo");
        undo && document.getElementById("flash").append(document.importNode(undo, true));
    } else if (page.document.querySelector(".error[data-field]")) {
        document.getElementById("flash").replaceChildren();
    } else if (!page.ok) {
        say(page.document.querySelector("h1")?.textContent ?? text("Offline"), true);
    }
}

/* Numbers, and the words after them, are matched by the link they are in, since a page may count for several people. */
export function updateCounts(other) {
    for (const number of document.querySelectorAll("a > [data-count]")) {
        const link = number.parentElement;
        const href = CSS.escape(link.getAttribute("href"));
        const fresh = other.querySelector(`a[href="${href}"] > [data-count="${number.dataset.count}"]`);
        if (fresh && link.textContent !== fresh.parentElement.textContent) {
            link.replaceChildren(...document.importNode(fresh.parentElement, true).childNodes);
        }
    }
}
