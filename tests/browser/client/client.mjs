// client.mjs - a web client on a site of its own, made of masto.js as Elk and Phanpy are: registers, sends the person to the
// consent page (code with PKCE), reads home page by page, posts, likes, signs out. #SERVER in the address: where to.
// What goes wrong stands in #error. Served and driven by tests/browser/test_web_client.py.
import { createOAuthAPIClient, createRestAPIClient } from "masto";

const at = (id) => document.getElementById(id);
const scope = "read write follow push";
const redirectUri = location.origin + "/";
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

async function leaveForConsent(url) {
  const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
  const app = await createRestAPIClient({ url }).v1.apps.create({ clientName: "A client", redirectUris: redirectUri, scopes: scope, website: redirectUri });
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(48)));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  const state = base64url(crypto.getRandomValues(new Uint8Array(12)));
  sessionStorage.setItem("asked", JSON.stringify({ url, verifier, state, id: app.clientId, secret: app.clientSecret }));
  const query = new URLSearchParams({ response_type: "code", client_id: app.clientId, redirect_uri: redirectUri, scope, state });
  query.set("code_challenge", base64url(hash));
  query.set("code_challenge_method", metadata.code_challenge_methods_supported[0]);
  location.href = `${metadata.authorization_endpoint}?${query}`;
}

async function takeToken(code, state) {
  const asked = JSON.parse(sessionStorage.getItem("asked"));
  if (state !== asked.state) throw new Error(`the state is ${state}`);
  const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri, client_id: asked.id, client_secret: asked.secret });
  body.set("code_verifier", asked.verifier);
  const answer = await fetch(`${asked.url}/oauth/token`, { method: "POST", body });
  const { access_token: token } = await answer.json();
  return { ...asked, token };
}

function show(client, post) {
  const item = document.createElement("li");
  const like = document.createElement("button");
  item.dataset.id = post.id;
  item.append(Object.assign(document.createElement("span"), { innerHTML: post.content }), like);
  const name = (now) => (like.textContent = `${now.favourited ? "Liked" : "Like"} ${now.favouritesCount}`);
  name(post);
  like.onclick = guard(async () => {
    const one = client.v1.statuses.$select(post.id);
    post = post.favourited ? await one.unfavourite() : await one.favourite();
    name(post);
  });
  return item;
}

async function run(session) {
  const client = createRestAPIClient({ url: session.url, accessToken: session.token });
  at("me").textContent = (await client.v1.accounts.verifyCredentials()).acct;
  // What Elk and Phanpy ask when they start, besides.
  await Promise.all([client.v2.instance.fetch(), client.v1.preferences.fetch(), client.v1.customEmojis.list(), client.v2.filters.list(),
                     client.v1.markers.fetch({ timeline: ["notifications"] }), client.v1.notifications.list({ limit: 30 }),
                     client.v1.followedTags.list(), client.v1.lists.list(), client.v1.followRequests.list(), client.v1.announcements.list()]);
  const pages = client.v1.timelines.home.list({ limit: 3 })[Symbol.asyncIterator]();
  const more = async () => {
    const { value, done } = await pages.next();
    at("more").hidden = done;
    at("home").append(...(value ?? []).map((post) => show(client, post)));
  };
  at("more").onclick = guard(more);
  at("write").onsubmit = guard(async (event) => {
    event.preventDefault();
    at("home").prepend(show(client, await client.v1.statuses.create({ status: at("text").value }, { requestInit: { headers: { "Idempotency-Key": crypto.randomUUID() } } })));
  });
  at("leave").onclick = guard(async () => {
    await createOAuthAPIClient({ url: session.url }).revoke({ clientId: session.id, clientSecret: session.secret, token: session.token });
    const status = await client.v1.accounts.verifyCredentials().then(() => 200, (error) => error.statusCode);
    at("me").textContent = `out ${status}`;
  });
  await more();
  document.body.dataset.ready = "yes";
}

/** Runs it; what goes wrong is shown. */
function guard(action) {
  return (...given) => action(...given).catch((error) => (at("error").textContent += `${error.stack ?? error}\n`));
}

guard(async () => {
  const query = new URLSearchParams(location.search);
  if (query.has("error")) at("me").textContent = query.get("error");
  else if (query.has("code")) await run(await takeToken(query.get("code"), query.get("state")));
  else await leaveForConsent(location.hash.slice(1));
})();
