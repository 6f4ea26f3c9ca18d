/* retwis.js - the entry. Every page works without any of this: the modules listen for what the page does anyway
   (sending a form, following a link) and do it without leaving. Each listens on the document, so nodes that come and go
   need no wiring. The program carries all modules as one (embed/bundle.c), so no two may declare the same name. */
import "./complete.js";
import "./compose.js";
import "./keys.js";
import "./menus.js";
import "./news.js";
import "./place.js";
import "./timeline.js";
import "./times.js";
