/* complete.js - what is being typed, completed: @names and #tags in the box of a post, both in the field of search. The
   list is a listbox below the field, which keeps the focus; nothing of the page needs it. */
import { announce, isPlain, text } from "./page.js";

const waitMs = 150; /* somebody who types on wants no answer to the half of it */
const remembered = new Map(); /* what was asked: the items */
const list = document.createElement("ul");
list.id = "complete";
list.className = "complete";
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", text("Suggestions"));

let field = null; /* to which the list belongs; null: it is closed */
let offers = [];
let active = -1;
let pause = 0;
let asked = "";

const isBox = (node) => node.matches?.("form.compose textarea");
const isSearch = (node) => node.matches?.("form.search input[name=q]");

/* The beginning of a name before the caret, as entity_scan.c would go on to read it; "" for none. */
function beginning(node) {
    const before = node.value.slice(0, node.selectionStart ?? 0);
    if (isSearch(node)) {
        return before.length === node.value.length && /^[@#]?[\p{L}\p{M}\p{N}_]+$/u.test(before) ? before : "";
    }
    return /(?<![A-Za-z0-9_@#\/])(@[A-Za-z0-9_]{1,30}|[#\uff03][\p{L}\p{M}\p{N}_]{1,100})$/u.exec(before)?.[1] ?? "";
}

function close() {
    clearTimeout(pause);
    asked = "";
    if (field) {
        for (const name of ["aria-controls", "aria-activedescendant"]) {
            field.removeAttribute(name);
        }
        isSearch(field) && field.setAttribute("aria-expanded", "false");
    }
    field = null;
    list.remove();
}

function activate(index) {
    active = index;
    [...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
    if (index < 0) {
        field.removeAttribute("aria-activedescendant");
    } else {
        field.setAttribute("aria-activedescendant", list.children[index].id);
        list.children[index].scrollIntoView({ block: "nearest" });
    }
}

function optionOf(item, index) {
    const option = document.createElement("li");
    const word = document.createElement("bdi");
    const name = document.createElement("span");
    option.id = `complete-${index}`;
    option.setAttribute("role", "option");
    word.textContent = item.text;
    name.textContent = item.name;
    option.append(word, " ", name);
    return option;
}

function show(node, found) {
    offers = found;
    if (!offers.length) {
        close();
        return;
    }
    field = node;
    list.replaceChildren(...offers.map(optionOf));
    node.after(list);
    node.setAttribute("aria-controls", list.id);
    isSearch(node) && node.setAttribute("aria-expanded", "true");
    activate(isSearch(node) ? -1 : 0); /* Enter in the field of search searches, until something is chosen */
    announce(text("Suggestions") + ": " + offers.length);
}

async function itemsOf(typed) {
    if (!remembered.has(typed)) {
        const response = await fetch(`/complete?q=${encodeURIComponent(typed)}`, { credentials: "same-origin" });
        if (!response.ok) {
            return [];
        }
        remembered.set(typed, (await response.json()).items);
    }
    return remembered.get(typed);
}

function ask(node) {
    const typed = beginning(node).replace("\uff03", "#");
    clearTimeout(pause);
    asked = typed;
    if (!typed) {
        field === node && close();
        return;
    }
    pause = setTimeout(async () => {
        const found = await itemsOf(typed).catch(() => []);
        if (asked === typed && document.activeElement === node) {
            show(node, found);
        }
    }, remembered.has(typed) ? 0 : waitMs);
}

function choose(index) {
    const [node, item] = [field, offers[index]];
    if (isSearch(node)) {
        close();
        location.assign(item.href);
        return;
    }
    const end = node.selectionStart;
    node.setRangeText(`${item.text} `, end - beginning(node).length, end, "end");
    close();
    node.dispatchEvent(new Event("input", { bubbles: true })); /* it is counted and kept */
}

document.addEventListener("focusin", (event) => {
    if (isBox(event.target) || isSearch(event.target)) {
        event.target.setAttribute("aria-autocomplete", "list");
    }
    if (isSearch(event.target)) {
        event.target.setAttribute("role", "combobox");
        event.target.setAttribute("aria-expanded", "false");
    }
    if (field && event.target !== field) {
        close();
    }
});
document.addEventListener("focusout", (event) => event.target === field && close());
document.addEventListener("input", (event) => {
    if (!event.isComposing && (isBox(event.target) || isSearch(event.target))) {
        ask(event.target);
    }
});
document.addEventListener("compositionend", (event) => (isBox(event.target) || isSearch(event.target)) && ask(event.target));
/* Before others hear of the key: Esc closes the list, and not the sheet that it lies in. */
document.addEventListener("keydown", (event) => {
    if (!field || event.target !== field || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) {
        return;
    }
    const last = offers.length - 1;
    const keys = {
        ArrowDown: () => activate(active === last ? 0 : active + 1),
        ArrowUp: () => activate(active <= 0 ? last : active - 1),
        Escape: close,
        Enter: () => choose(active),
        Tab: () => choose(active),
    };
    if (keys[event.key] && (active >= 0 || !["Enter", "Tab"].includes(event.key)) && !event.shiftKey) {
        event.preventDefault();
        event.stopPropagation();
        keys[event.key]();
    }
}, true);
/* The field keeps the focus while somebody points at the list. */
list.addEventListener("pointerdown", (event) => event.preventDefault());
list.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("click", (event) => {
    const index = [...list.children].indexOf(event.target.closest("li"));
    if (index >= 0 && isPlain(event)) {
        choose(index);
    }
});
