/* times.js - keeps "3 minutes ago" true, and says whole times in the reader's zone. Same steps and same words
   as the server's (see templates/README.md). */

const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
const nowWord = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" }).format(0, "second");
const steps = [
    [60, 1, "second"],
    [3600, 60, "minute"],
    [86400, 3600, "hour"],
    [30 * 86400, 86400, "day"],
    [365 * 86400, 30 * 86400, "month"],
    [Infinity, 365 * 86400, "year"],
];

function elapsed(seconds) {
    if (seconds < 5) {
        return nowWord;
    }
    const [, size, unit] = steps.find(([below]) => seconds < below);
    return words.format(-Math.floor(seconds / size), unit);
}

/* The server knows nobody's zone, so what it writes is UTC. */
const whole = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });

function update() {
    for (const time of document.querySelectorAll(".status-time time, .edited time, .when time, .session time, .notice-text time")) {
        const then = Date.parse(time.dateTime);
        const fresh = elapsed((Date.now() - then) / 1000);
        if (time.textContent !== fresh) {
            time.textContent = fresh;
        }
        time.title = whole.format(then);
    }
    const date = document.querySelector(".status-date");
    const local = date?.querySelector("time").title;
    if (date && date.querySelector("span").textContent !== local) {
        date.querySelector("span").textContent = local;
    }
}

setInterval(() => document.hidden || update(), 15000);
document.addEventListener("visibilitychange", () => document.hidden || update());
new MutationObserver(update).observe(document.getElementById("main"), { childList: true, subtree: true });
update();
