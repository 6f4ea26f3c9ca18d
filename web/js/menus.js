/* menus.js - a menu that is open (details.me, details[data-menu]) closes with Esc, by a click beside it and when the focus
   goes elsewhere. Without scripts its own button closes it. */

const menus = () => document.querySelectorAll(":is(details.me, details[data-menu])[open]");

function closeBeside(event) {
    for (const menu of menus()) {
        if (!menu.contains(event.target)) {
            menu.open = false;
        }
    }
}

document.addEventListener("click", closeBeside);
document.addEventListener("focusin", closeBeside);
document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.isComposing) {
        for (const menu of menus()) {
            const hadFocus = menu.contains(document.activeElement);
            menu.open = false;
            hadFocus && menu.querySelector("summary").focus();
        }
    }
});
