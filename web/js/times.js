/* times.js - keeps "5m" and "3 minutes ago" true, and says whole times in the reader's zone. Same steps and same words
   as the server's (see templates/README.md). */

const lang = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang; /* 3 Nov, as the pages say */
const words = new Intl.RelativeTimeFormat(lang, { numeric: "always" });
const nowWord = new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(0, "second");
const steps = [
    [60, 1, "second"],
    [3600, 60, "minute"],
    [86400, 3600, "hour"],
    [30 * 86400, 86400, "day"],
    [365 * 86400, 30 * 86400, "month"],
    [Infinity, 365 * 86400, "year"],
];

/* Below a minute whole tens. */
function count(seconds, size) {
    return size === 1 ? Math.floor(seconds / 10) * 10 : Math.floor(seconds / size);
}

function elapsed(seconds) {
    if (seconds < 10) {
        return nowWord;
    }
    const [, size, unit] = steps.find(([below]) => seconds < below);
    return words.format(-count(seconds, size), unit);
}

const narrow = (number, unit) => new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "narrow" }).format(number);
const day = new Intl.DateTimeFormat(lang, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(lang, { day: "numeric", month: "short", year: "numeric" });

/* "5m", "2h", and from a day on the date. */
function short(then) {
    const seconds = (Date.now() - then) / 1000;
    if (seconds < 10) {
        return nowWord;
    }
    if (seconds >= 86400) {
        return (new Date(then).getFullYear() === new Date(Date.now()).getFullYear() ? day : dayOfYear).format(then);
    }
    const [, size, unit] = steps.find(([below]) => seconds < below);
    return narrow(count(seconds, size), unit);
}

/* The server knows nobody's zone, so what it writes is UTC. */
const whole = new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" });

const shortTimes = ".status:not(.status-large) > .at time, .boosted-by time, .notice-text time";
const longTimes = ".status-date time, .edited time, p.when time, .session time";

function update() {
    for (const time of document.querySelectorAll(`${shortTimes}, ${longTimes}`)) {
        const then = Date.parse(time.dateTime.replace(" ", "T"));
        const fresh = time.matches(shortTimes) ? short(then) : elapsed((Date.now() - then) / 1000);
        if (time.textContent !== fresh) {
            time.textContent = fresh;
        }
        /* beside the time of a post the style shows it, for the keyboard too */
        time.matches(".at time") ? (time.dataset.whole = whole.format(then)) : (time.title = whole.format(then));
    }
    const date = document.querySelector(".status-date");
    const local = date?.querySelector("time").dataset.whole;
    if (date && date.querySelector("span").textContent !== local) {
        date.querySelector("span").textContent = local;
    }
}

setInterval(() => document.hidden || update(), 15000);
document.addEventListener("visibilitychange", () => document.hidden || update());
new MutationObserver(update).observe(document.getElementById("main"), { childList: true, subtree: true });
update();
