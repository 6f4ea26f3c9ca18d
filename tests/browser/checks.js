/* Rules that a page must keep, read off what the browser has laid out. Loaded by chrome.py, which calls one of these
   functions in the page; each returns a list of sentences, one for each finding. No library, so that the tests need
   nothing but a browser. */
const checks = (() => {
    /* A time by its moment: how long ago that was changes while one looks. A button that says what a press would do while it has the
       focus, by all that it can say. */
    const say = (element) => {
        const time = element.querySelector("time");
        const words = (time?.dateTime ?? (element.matches(".button-state") ? element.textContent : element.innerText) ?? element.value ?? "").trim().slice(0, 30);
        const name = element.tagName.toLowerCase() + (element.id ? `#${element.id}` : "") +
            [...element.classList].map((c) => `.${c}`).join("");
        return `${name}${words ? ` “${words}”` : ""}`;
    };
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];

    /* Shown to somebody who looks: has a box, is neither clipped away nor outside of the page. */
    const visible = (element) => {
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
            element.closest(".visually-hidden")) {
            return false;
        }
        const box = element.getBoundingClientRect();
        return box.width > 1 && box.height > 1 && box.bottom + scrollY > 0 && box.right > 0;
    };

    /* --- colours --- */

    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const known = new Map();
    const rgba = (color) => {
        if (!known.has(color)) {
            context.clearRect(0, 0, 1, 1);
            context.fillStyle = color;
            context.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
            known.set(color, [r, g, b, a / 255]);
        }
        return known.get(color);
    };
    const over = (top, ground, opacity = 1) => {
        const a = top[3] * opacity;
        return [0, 1, 2].map((i) => top[i] * a + ground[i] * (1 - a)).concat(1);
    };
    const ground = (element) => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) {
            const color = rgba(getComputedStyle(e).backgroundColor);
            layers.push(color);
            if (color[3] === 1) {
                break;
            }
        }
        return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
    };
    const luminance = (color) => {
        const [r, g, b] = color.slice(0, 3).map((value) => {
            const c = value / 255;
            return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => {
        const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    };
    const opacity = (element) => {
        let product = 1;
        for (let e = element; e; e = e.parentElement) {
            product *= Number(getComputedStyle(e).opacity);
        }
        return product;
    };

    /* What has a picture in front of it, and how that looks. */
    const icons = () => all("body *").filter(visible).map((e) => [e, getComputedStyle(e, "::before")])
        .filter(([e, style]) => style.content === '""' && style.display !== "none" &&
            (/(^| )i-/.test(e.className) || (e.matches(".status > button, .status > a:not(:first-of-type, .at)"))));

    /* WCAG 1.4.3 for text, 1.4.11 for the edges of fields and for icons that stand alone. */
    function contrast() {
        const found = [];
        const need = (least, color, back, element, what) => {
            const is = ratio(over(color, back, opacity(element)), back);
            if (is < least) {
                found.push(`contrast: ${what} of ${say(element)} is ${is.toFixed(2)}, not ${least}`);
            }
        };
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const done = new Set();
        while (texts.nextNode()) {
            const element = texts.currentNode.parentElement;
            if (!texts.currentNode.data.trim() || done.has(element) || !visible(element)) {
                continue;
            }
            done.add(element);
            const style = getComputedStyle(element);
            const size = parseFloat(style.fontSize);
            const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
            need(large ? 3 : 4.5, rgba(style.color), ground(element), element, "text");
        }
        for (const field of all("input:not([type=hidden]):not([type=radio]), textarea").filter(visible)) {
            const style = getComputedStyle(field);
            need(4.5, rgba(style.color), ground(field), field, "text");
            need(4.5, rgba(getComputedStyle(field, "::placeholder").color), ground(field), field, "placeholder");
            need(3, rgba(style.borderTopColor), ground(field.parentElement), field, "edge");
        }
        for (const [icon, style] of icons()) {
            need(3, rgba(style.backgroundColor), ground(icon), icon, "icon");
        }
        return found;
    }

    /* --- names and structure --- */

    function name(element) {
        const by = element.getAttribute("aria-labelledby");
        const text = (node) => node.innerText || node.textContent;
        const inner = () => [text(element), ...all("img[alt]", element).map((i) => i.alt),
            ...all("[role=img][aria-label]", element).map((i) => i.getAttribute("aria-label"))].join(" ");
        const field = element.matches("input, textarea, select");
        return (by && by.split(/\s+/).map((id) => text(document.getElementById(id))).join(" ")) ||
            element.getAttribute("aria-label") ||
            (field ? [...(element.labels ?? [])].map(text).join(" ") : inner().trim()) || element.title || "";
    }

    /* WCAG 1.1.1, 1.3.1, 2.4.2, 2.4.6, 3.1.1, 3.3.2, 4.1.2. */
    function structure() {
        const found = [];
        const hidden = "[aria-hidden=true], [aria-hidden=true] *, [type=hidden]";
        for (const e of all("input, textarea, select, button, a, summary").filter((e) => !e.matches(hidden))) {
            if (e.checkVisibility() && !name(e).trim()) {
                found.push(`name: ${say(e)} has none`);
            }
            if (e.matches("a:not([href])")) {
                found.push(`name: ${say(e)} leads nowhere`);
            }
        }
        for (const e of all("[aria-hidden=true]")) {
            for (const inner of [e, ...all("*", e)].filter((i) => i.tabIndex >= 0 && !i.matches("svg *"))) {
                found.push(`name: ${say(inner)} is hidden from screen readers but can have the focus`);
            }
        }
        for (const e of all("input:not([type=hidden]):not([type=radio]), textarea").filter(visible)) {
            if (![...(e.labels ?? [])].some(visible)) {
                found.push(`label: ${say(e)} has none that can be seen`);
            }
        }
        for (const e of all("fieldset").filter((e) => !e.querySelector("legend"))) {
            found.push(`label: ${say(e)} has no legend`);
        }
        for (const e of all("img:not([alt])")) {
            found.push(`name: ${say(e)} has no alt`);
        }
        for (const e of all("nav, section, aside").filter((e) => visible(e) && all("nav, section, aside").length > 1)) {
            if (e.matches("nav") && !e.matches(".paging") && !name(e).trim()) {
                found.push(`name: ${say(e)} is one of several and has none`);
            }
        }
        const ids = new Set();
        for (const { id } of all("[id]")) {
            if (ids.has(id)) {
                found.push(`id: ${id} is there twice`);
            }
            ids.add(id);
        }
        for (const attribute of ["aria-labelledby", "aria-describedby", "for"]) {
            for (const e of all(`[${attribute}]`)) {
                for (const id of e.getAttribute(attribute).split(/\s+/).filter((i) => !ids.has(i))) {
                    found.push(`id: ${attribute} of ${say(e)} means ${id}, which is not there`);
                }
            }
        }
        for (const e of all("a[href^='#']")) {
            if (e.hash && !ids.has(decodeURIComponent(e.hash.slice(1)))) {
                found.push(`id: ${say(e)} leads to ${e.hash}, which is not there`);
            }
        }
        if (all("h1").length !== 1) {
            found.push(`heading: ${all("h1").length} h1`);
        }
        let level = 0;
        for (const e of all("h1, h2, h3, h4").filter((h) => h.checkVisibility())) {
            const now = Number(e.tagName[1]);
            if (now > level + 1) {
                found.push(`heading: ${say(e)} skips a level`);
            }
            level = now;
        }
        if (all("main").length !== 1 || !document.documentElement.lang || !document.title.includes(" · ")) {
            found.push("structure: main, lang or title");
        }
        for (const e of all("ul > *, ol > *").filter((e) => e.tagName !== "LI")) {
            found.push(`structure: ${say(e)} in a list`);
        }
        for (const e of all("[role=status], [role=alert], [aria-live]").filter((e) => e.matches("[aria-hidden=true] *"))) {
            found.push(`structure: ${say(e)} speaks where nobody hears`);
        }
        for (const [icon, style] of icons()) {
            if (!style.maskImage.startsWith('url("data:image/svg+xml,')) {
                found.push(`icon: ${say(icon)} draws nothing`);
            }
        }
        for (const e of all("img").filter((i) => visible(i) && i.naturalWidth === 0)) {
            found.push(`image: ${e.src} is not there`);
        }
        return found;
    }

    /* --- layout --- */

    /* WCAG 1.4.10: nothing beyond the sides, and no text cut off without a sign of it. */
    function overflow() {
        const found = [];
        const root = document.documentElement;
        const width = root.clientWidth;
        if (root.scrollWidth > width) {
            found.push(`overflow: the page is ${root.scrollWidth} wide in a window of ${width}`);
        }
        const clips = (e) => e && (getComputedStyle(e).overflowX !== "visible" || clips(e.parentElement));
        for (const e of all("body *").filter(visible)) {
            const box = e.getBoundingClientRect();
            if ((box.right > width + 0.5 || box.left < -0.5) && !clips(e.parentElement)) {
                found.push(`overflow: ${say(e)} reaches from ${box.left} to ${box.right}`);
            }
            const style = getComputedStyle(e);
            if (style.overflowX === "hidden" && style.textOverflow !== "ellipsis" && e.scrollWidth > e.clientWidth + 1) {
                found.push(`overflow: ${say(e)} is cut off`);
            }
            if (e.matches("a, button, h1, h2, label, .badge") && style.overflowX === "visible" &&
                style.display !== "inline" && e.scrollWidth > e.clientWidth + 1) {
                found.push(`overflow: the words of ${say(e)} do not fit into it`);
            }
        }
        return found;
    }

    const controls = () => all("a[href], button, input:not([type=hidden]), textarea, summary, label.choice")
        .filter((e) => visible(e) && !e.matches("[aria-hidden=true], label.choice input"));

    /* In a bar that stays while the page moves under it. */
    const isFixed = (e) => Boolean(e) &&
        (["fixed", "sticky"].includes(getComputedStyle(e).position) || e.matches(":popover-open") || isFixed(e.parentElement));

    /* WCAG 2.5.8: 24 by 24, or alone in a circle of 24; links in sentences are exempt. What the thumb uses all the time
       (buttons, fields, tabs) must have the 44 of 2.5.5. */
    function targets() {
        const found = [];
        const boxes = controls().map((e) => [e, e.getBoundingClientRect()]);
        const together = (a, b) => isFixed(a) === isFixed(b);
        for (const [e, box] of boxes) {
            const inText = e.matches("a") && e.closest(".text, .bio, .beside, .lead, .error");
            if (inText) {
                continue;
            }
            if (e.matches("button, .button, input, textarea, summary, .nav a, .tabs a, .paging a") && box.height < 43.5) {
                found.push(`target: ${say(e)} is ${box.width.toFixed()} × ${box.height.toFixed()}, too small for a thumb`);
            }
            if (box.width >= 24 && box.height >= 24) {
                continue;
            }
            const x = (box.left + box.right) / 2;
            const y = (box.top + box.bottom) / 2;
            const near = boxes.find(([other, o]) => other !== e && together(other, e) && !other.contains(e) && !e.contains(other) &&
                Math.hypot(Math.max(o.left - x, 0, x - o.right), Math.max(o.top - y, 0, y - o.bottom)) < 12);
            if (near) {
                found.push(`target: ${say(e)} is ${box.width.toFixed()} × ${box.height.toFixed()} beside ${say(near[0])}`);
            }
        }
        return found;
    }

    /* Controls that lie on top of each other cannot both be hit. */
    function overlaps() {
        const found = [];
        const boxes = controls().filter((e) => !isFixed(e)).map((e) => [e, e.getBoundingClientRect()]);
        boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
            const width = Math.min(p.right, q.right) - Math.max(p.left, q.left);
            const height = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
            const free = (box) => box.width - width >= 24 || box.height - height >= 24;
            if (width > 1 && height > 1 && !(free(p) && free(q)) && !a.contains(b) && !b.contains(a) && !a.closest("a, p")?.contains(b.closest("p"))) {
                found.push(`overlap: ${say(a)} and ${say(b)}`);
            }
        }));
        return found;
    }

    /* What the Tab key must reach: everything that can be used, in the order of the document. Of a group of radio
       buttons it is the chosen one; a closed fold hides what is in it. */
    function stops() {
        const able = "a[href], button, input:not([type=hidden]), textarea, select, summary, [tabindex]";
        return all(able).filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }) &&
            !(e.type === "radio" && !e.checked)).map(say);
    }

    /* What has the focus now, and whether it can be seen (WCAG 2.4.7, 2.4.11). */
    function focus() {
        const e = document.activeElement;
        if (!e || e === document.body) {
            return null;
        }
        const style = getComputedStyle(e);
        const box = e.getBoundingClientRect();
        const problems = [];
        if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) {
            problems.push(`focus: ${say(e)} shows none`);
        } else if (ratio(rgba(style.outlineColor), ground(e.parentElement)) < 3) {
            problems.push(`focus: the outline of ${say(e)} is too pale`);
        }
        const x = Math.min(Math.max((box.left + box.right) / 2, 1), innerWidth - 1);
        const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
        const top = box.bottom <= 0 || box.top >= innerHeight ? null : document.elementFromPoint(x, y);
        if (!top || !(e.contains(top) || top.contains(e))) {
            problems.push(`focus: ${say(e)} is hidden by ${top ? say(top) : "the edge of the window"}`);
        }
        return { what: say(e), problems };
    }

    return { contrast, structure, overflow, targets, overlaps, stops, focus };
})();
