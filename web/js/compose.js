/* compose.js - the box: counting as the server counts, and posting without leaving the page. */
import { get, here, isPlain, say, sayOutcome, send, text, updateCounts } from "./page.js";
import { mergeTimeline } from "./timeline.js";

/* Code points of what will be stored: the server cuts these four characters off both ends. */
function countOf(value) {
    return [...value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "")].length;
}

function showCount() {
    const box = document.getElementById("compose-status");
    const counter = document.getElementById("compose-count");
    if (!box || !counter) {
        return;
    }
    const left = Number(counter.dataset.max) - countOf(box.value) - countOf(box.form.elements.spoiler_text.value);
    const wasOver = counter.classList.contains("over");
    counter.textContent = left;
    counter.classList.toggle("over", left < 0);
    /* Spoken only near the limit and when it is crossed, not at each key. */
    const hint = document.getElementById("compose-hint");
    hint.dataset.text ??= hint.textContent;
    const words = left < 0 ? text("Over") : left <= 20 ? text("Left") : hint.dataset.text;
    if (left <= 20 || wasOver || hint.textContent !== hint.dataset.text) {
        hint.textContent = words.replace("{count}", Math.abs(left));
    }
    hint.setAttribute("aria-live", left < 0 && !wasOver ? "assertive" : "off");
}

/* --- drafts: what is in the box when a page is left is there again when somebody comes back to it, in this window --- */

const draftFields = ["status", "spoiler_text"];

function draftKey(form) {
    const me = document.querySelector(".me-menu a")?.getAttribute("href") ?? "";
    return `retwis.draft:${me}:${form.elements.in_reply_to_id?.value ?? ""}:${form.dataset.edits ?? ""}`;
}

/* Storage may be forbidden, or full: then there are no drafts. */
function storage(use) {
    try {
        return use(sessionStorage);
    } catch {
        return null;
    }
}

function keepDraft(form) {
    const typed = draftFields.map((name) => form.elements[name].value);
    storage((kept) => typed.some(Boolean) ? kept.setItem(draftKey(form), JSON.stringify(typed))
                                          : kept.removeItem(draftKey(form)));
}

function dropDraft(form) {
    storage((kept) => kept.removeItem(draftKey(form)));
}

/* A form in which the server has put words keeps them: one that was refused, a post that is written again. */
function takeDraft(form) {
    const typed = storage((kept) => JSON.parse(kept.getItem(draftKey(form))));
    const [status, spoiler] = draftFields.map((name) => form.elements[name]);
    const isFilled = !form.dataset.edits && !/^(@\S+ )?$/.test(status.defaultValue);
    if (typed && !isFilled && !form.querySelector(".error")) {
        [status.value, spoiler.value] = typed;
        form.querySelector("details")?.toggleAttribute("open", Boolean(typed[1]));
    }
}

function dropAllDrafts() {
    storage((kept) => Object.keys(kept).filter((key) => key.startsWith("retwis.draft:")).forEach((key) => kept.removeItem(key)));
}

function focusFromHash() {
    if (location.hash === "#compose-status" || location.hash === "#reply") {
        const box = document.getElementById("compose-status");
        box?.focus();
        box?.setSelectionRange(box.value.length, box.value.length);
    }
}

/* --- the sheet: the box over any page --- */

const sheet = document.getElementById("sheet");

/* On a page that has the box of a new post, that one; else the sheet, with the box of /compose in it. */
async function openBox(link) {
    const here = document.getElementById("compose");
    if (here && !here.elements.in_reply_to_id && !here.dataset.edits) {
        here.elements.status.focus();
        return;
    }
    try {
        const page = await get(`${link.href}?next=${encodeURIComponent(location.pathname + location.search)}`);
        const form = document.adoptNode(page.document.getElementById("compose"));
        closeSheet();
        if (here) {
            here.id = "compose-answer"; /* one box at a time has the names that labels and scripts know */
            renameParts(here, "compose-", "answer-");
        }
        sheet.append(form);
        takeDraft(form);
        sheet.showModal();
        form.elements.status.focus();
        showCount();
    } catch {
        location.assign(link.href);
    }
}

function renameParts(form, from, to) {
    for (const name of ["id", "for", "aria-describedby"]) {
        for (const part of form.querySelectorAll(`[${name}^="${from}"]`)) {
            part.setAttribute(name, to + part.getAttribute(name).slice(from.length));
        }
    }
}

function closeSheet() {
    sheet.querySelector("#compose")?.remove();
    const answer = document.getElementById("compose-answer");
    if (answer) {
        answer.id = "compose";
        renameParts(answer, "answer-", "compose-");
    }
}

/* Posted from the sheet: back to where one was, which has the post if it stands there. */
function posted(page) {
    sheet.close();
    sayOutcome(page);
    if (new URL(page.url).pathname + new URL(page.url).search === here()) {
        mergeTimeline(page.document);
    }
    updateCounts(page.document);
}

async function post(form, submitter) {
    const typed = form.elements.status.value;
    const page = await send(form, submitter);
    if (!page) {
        return;
    }
    if (page.ok) {
        dropDraft(form);
    }
    if (page.ok && sheet.contains(form)) {
        posted(page);
        return;
    }
    const fresh = page.document.getElementById("compose");
    if (!fresh) {
        /* Signed out meanwhile, or an error page: the text stays in the box. */
        say(page.document.querySelector("h1")?.textContent ?? text("Offline"), true);
        return;
    }
    if (page.ok && (new URL(page.url).pathname + new URL(page.url).search !== here() || !mergeTimeline(page.document))) {
        location.assign(page.url);
        return;
    }
    sayOutcome(page); /* while the form with its errors is still part of that page */
    fresh.elements.status.removeAttribute("autofocus"); /* done below */
    form.replaceWith(document.adoptNode(fresh));
    const box = document.getElementById("compose-status");
    box.value = page.ok ? "" : typed;
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
    showCount();
    updateCounts(page.document);
}

document.addEventListener("submit", (event) => {
    if (event.target.id === "compose") {
        event.preventDefault();
        post(event.target, event.submitter);
    } else if (event.target.matches("form.sign-out")) {
        dropAllDrafts();
    }
});
document.addEventListener("input", (event) => {
    if (event.target.form?.id === "compose") {
        showCount();
        keepDraft(event.target.form);
    }
});
document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "compose-status") {
        event.target.form.requestSubmit();
    }
});
addEventListener("hashchange", focusFromHash);
sheet?.addEventListener("close", closeSheet);
document.getElementById("sheet-close")?.addEventListener("click", () => sheet.close());
document.addEventListener("click", (event) => {
    const link = event.target.closest(".nav-post a");
    if (link && sheet && isPlain(event)) {
        event.preventDefault();
        openBox(link);
    }
});

if (document.getElementById("compose")) {
    takeDraft(document.getElementById("compose"));
}
showCount();
focusFromHash();
addEventListener("load", focusFromHash); /* where nothing has the name behind the #, the browser takes the focus away again */
