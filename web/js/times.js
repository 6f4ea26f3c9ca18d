/* times.js - keeps "3 minutes ago" true. Same steps and same words as the server's (see templates/README.md). */

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

function update() {
    for (const time of document.querySelectorAll(".status-time time, .when time, .session time")) {
        const fresh = elapsed((Date.now() - Date.parse(time.dateTime)) / 1000);
        if (time.textContent !== fresh) {
            time.textContent = fresh;
        }
    }
}

setInterval(() => document.hidden || update(), 15000);
document.addEventListener("visibilitychange", () => document.hidden || update());
