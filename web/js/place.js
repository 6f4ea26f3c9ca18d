/* place.js - whoever comes back to a list finds it as long as he left it, and where he was. Browsers keep personal pages
   for nobody (Cache-Control: no-store), so the page is a new one with its first posts: which one was on top stands in the
   entry of the history, and what lies between is loaded again. */
import { isPlain } from "./page.js";
import { itemOf, items, keyOf, loadOlder } from "./timeline.js";

const settleMs = 200; /* scrolling has come to rest; browsers limit how often the history may be written */
const pagesMost = 50;

function remember() {
    const top = items().find((item) => item.getBoundingClientRect().bottom > 0);
    const place = top && scrollY > 0 ? { key: keyOf(top), top: top.getBoundingClientRect().top, count: items().length } : null;
    if (place || history.state?.place) {
        history.replaceState({ ...history.state, place }, "");
    }
}

/* Gives up when the reader goes elsewhere meanwhile. */
async function bringBack(place) {
    let moved = false;
    const gestures = ["wheel", "touchmove", "keydown", "pointerdown"];
    const onMove = () => (moved = true);
    gestures.forEach((name) => addEventListener(name, onMove, { passive: true, once: true }));
    for (let i = 0; i < pagesMost && !moved && items().length < place.count; i++) {
        if (!(await loadOlder())) {
            break;
        }
    }
    gestures.forEach((name) => removeEventListener(name, onMove));
    const item = itemOf(place.key);
    if (!moved && item) {
        scrollBy({ top: item.getBoundingClientRect().top - place.top, behavior: "instant" });
    }
}

let timer = 0;
addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(remember, settleMs);
}, { passive: true });
document.addEventListener("click", remember, { capture: true });

/* The arrow leads to where one came from, if that is a page of ours, and to the same place there. */
document.addEventListener("click", (event) => {
    if (event.target.closest("a.back") && isPlain(event) && history.length > 1 && document.referrer.startsWith(`${location.origin}/`)) {
        event.preventDefault();
        history.back();
    }
});

if (history.state?.place && items().length > 0) {
    history.scrollRestoration = "manual";
    bringBack(history.state.place);
}
