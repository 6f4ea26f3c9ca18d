/* news.js - "3 new posts" over the home: a button, since what is being read never moves by itself. How it is known that
   something has come is the business of the one function `askNews`; a stream of events can call `tell` in its place. */
import { announce, get, here } from "./page.js";
import { focusOn, items, mergeTimeline } from "./timeline.js";

const askEveryMs = 30000;
const askSeldomMs = 300000; /* while there is no answer */

const isFirstPage = () => here() === "/home" && document.getElementById("timeline");
const newestShown = () => items()[0]?.id.replace("post-", "") ?? "0";

let bar = null;

function dropBar() {
    bar?.remove();
    bar = null;
}

/* Puts the new ones above what is there, and leads to them. What does not touch it is a page of its own. */
async function showNews() {
    const before = newestShown();
    bar.setAttribute("aria-busy", "true");
    const page = await get("/home").catch(() => null);
    if (!page?.ok || !mergeTimeline(page.document)) {
        location.assign("/home");
        return;
    }
    dropBar();
    scrollTo({ top: 0, behavior: "instant" });
    newestShown() !== before && focusOn(items()[0]);
}

/* `news`: { count, label }, as /home/news says it. */
export function tell(news) {
    if (!news.count || !isFirstPage()) {
        dropBar();
        return;
    }
    if (!bar) {
        bar = document.createElement("button");
        bar.type = "button";
        bar.className = "button button-primary news i-up";
        bar.addEventListener("click", showNews);
        document.getElementById("announce").before(bar);
    }
    if (bar.textContent !== news.label) {
        bar.textContent = news.label;
        announce(news.label);
    }
}

let askTimer = 0;

/* Once, and again after a while; never in a page that nobody sees. */
async function askNews() {
    clearTimeout(askTimer);
    if (document.hidden || !isFirstPage()) {
        return;
    }
    let wait = askSeldomMs;
    try {
        const answer = await fetch(`/home/news${items().length ? `?since_id=${newestShown()}` : ""}`, { headers: { Accept: "application/json" }, redirect: "error" });
        if (answer.ok) {
            tell(await answer.json());
            wait = askEveryMs;
        }
    } catch { /* the site is away: later */ }
    clearTimeout(askTimer);
    askTimer = setTimeout(askNews, wait);
}

document.addEventListener("visibilitychange", askNews);
if (isFirstPage()) {
    askTimer = setTimeout(askNews, askEveryMs);
}
