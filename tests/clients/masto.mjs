// masto.mjs - masto.js against the server: what Elk and Phanpy are made of. Run by tests/e2e/test_api_js.py.
import assert from "node:assert/strict";
import { eventually, ids, load, refused, runSteps, step, world } from "./steps.mjs";

const { createOAuthAPIClient, createRestAPIClient } = load("masto");
const [alice, bob] = world.people.map(({ token }) => createRestAPIClient({ url: world.url, accessToken: token }));
const nobody = createRestAPIClient({ url: world.url });
const me = {};

/** All pages of a list, each with its entries. */
async function pages(paginator) {
  const found = [];
  for await (const page of paginator) found.push(ids(page));
  return found;
}

step("log in with a password", async () => {
  const scopes = "read write follow push";
  const app = await nobody.v1.apps.create({ clientName: "masto", redirectUris: "urn:ietf:wg:oauth:2.0:oob", scopes });
  const oauth = createOAuthAPIClient({ url: world.url });
  const person = world.people[0];
  const grant = { grantType: "password", clientId: app.clientId, clientSecret: app.clientSecret, scope: scopes, username: person.name };
  const token = await oauth.token.create({ ...grant, password: person.password });
  assert.equal(token.tokenType, "Bearer");
  const client = createRestAPIClient({ url: world.url, accessToken: token.accessToken });
  me.alice = await client.v1.accounts.verifyCredentials();
  assert.equal(me.alice.username, person.name);
  await refused(400, oauth.token.create({ ...grant, password: "wrong password" }));
  await oauth.revoke({ clientId: app.clientId, clientSecret: app.clientSecret, token: token.accessToken });
  await refused(401, client.v1.accounts.verifyCredentials());
  me.bob = await bob.v1.accounts.verifyCredentials();
});

step("the site", async () => {
  const site = await nobody.v2.instance.fetch();
  assert.equal(site.domain, new URL(world.url).host);
  assert.equal(new URL(site.configuration.urls.streaming).origin, world.url.replace("http", "ws"));
  assert.ok([me.alice.avatar, me.alice.url, site.thumbnail.url].every((address) => new URL(address).origin === world.url));
  assert.equal((await nobody.v1.instance.fetch()).uri, site.domain);
  assert.deepEqual(await nobody.v1.customEmojis.list(), []);
  assert.equal((await alice.v1.preferences.fetch())["posting:default:visibility"], "public");
});

step("post, answer, edit, delete", async () => {
  const post = await alice.v1.statuses.create({ status: "Hello from masto", visibility: "unlisted", spoilerText: "w", sensitive: true });
  assert.equal(post.content, "<p>Hello from masto</p>");
  assert.equal(post.spoilerText, "w");
  const answer = await bob.v1.statuses.create({ status: `@${me.alice.acct} hi`, inReplyToId: post.id });
  assert.deepEqual(ids((await nobody.v1.statuses.$select(answer.id).context.fetch()).ancestors), [post.id]);
  assert.deepEqual(ids((await nobody.v1.statuses.$select(post.id).context.fetch()).descendants), [answer.id]);
  const changed = await alice.v1.statuses.$select(post.id).update({ status: "Hello again" });
  assert.ok(changed.editedAt);
  assert.equal((await alice.v1.statuses.$select(post.id).source.fetch()).text, "Hello again");
  assert.equal((await alice.v1.statuses.$select(post.id).history.list()).length, 2);
  assert.equal((await alice.v1.statuses.$select(post.id).remove()).text, "Hello again");
  await refused(404, nobody.v1.statuses.$select(post.id).fetch());
  await refused(422, alice.v1.statuses.create({ status: "" }));
  await refused(401, nobody.v1.statuses.create({ status: "who?" }));
});

step("favourite, boost, bookmark, pin, mute", async () => {
  const { id } = await alice.v1.statuses.create({ status: "to be liked" });
  const seen = bob.v1.statuses.$select(id);
  assert.equal((await seen.favourite()).favourited, true);
  assert.deepEqual(ids(await seen.favouritedBy.list()), [me.bob.id]);
  assert.equal((await bob.v1.favourites.list())[0].id, id);
  const boost = await seen.reblog();
  assert.equal(boost.reblog.id, id);
  assert.deepEqual(ids(await seen.rebloggedBy.list()), [me.bob.id]);
  assert.equal((await seen.bookmark()).bookmarked, true);
  assert.equal((await bob.v1.bookmarks.list())[0].id, id);
  assert.equal((await alice.v1.statuses.$select(id).pin()).pinned, true);
  assert.deepEqual(ids(await nobody.v1.accounts.$select(me.alice.id).statuses.list({ pinned: true })), [id]);
  assert.equal((await alice.v1.statuses.$select(id).unpin()).pinned, false);
  assert.equal((await alice.v1.statuses.$select(id).mute()).muted, true);
  assert.equal((await alice.v1.statuses.$select(id).unmute()).muted, false);
  assert.equal((await seen.unreblog()).reblogged, false);
  assert.equal((await seen.unfavourite()).favouritesCount, 0);
  assert.equal((await seen.unbookmark()).bookmarked, false);
});

step("timelines to their end and back", async () => {
  await alice.v1.accounts.$select(me.bob.id).follow();
  const made = [];
  for (let n = 0; n < 5; n++) made.unshift((await bob.v1.statuses.create({ status: `line ${n} #mastojs` })).id);
  const tag = nobody.v1.timelines.tag.$select("MastoJS");
  const there = await pages(tag.list({ limit: 2 }));
  assert.deepEqual(there.flat(), made);
  const back = await pages(tag.list({ limit: 2, minId: made[4] }).setDirection("prev"));
  assert.deepEqual([...back].reverse().flat(), made.slice(0, 4));
  await eventually("the posts are at home", async () => (await alice.v1.timelines.home.list({ limit: 1 }))[0]?.id === made[0]);
  assert.deepEqual(ids(await alice.v1.timelines.home.list({ maxId: made[1], limit: 2 })), made.slice(2, 4));
  assert.deepEqual(ids(await nobody.v1.timelines.public.list({ local: true, limit: 5 })), made);
  await refused(401, nobody.v1.timelines.home.list());
});

step("people", async () => {
  const [relation] = await alice.v1.accounts.relationships.fetch({ id: [me.bob.id] });
  assert.equal(relation.following, true);
  assert.deepEqual(ids(await nobody.v1.accounts.$select(me.bob.id).followers.list()), [me.alice.id]);
  assert.equal((await nobody.v1.accounts.lookup({ acct: me.bob.acct })).id, me.bob.id);
  for (const [act, undo, field, list] of [["mute", "unmute", "muting", "mutes"], ["block", "unblock", "blocking", "blocks"]]) {
    assert.equal((await alice.v1.accounts.$select(me.bob.id)[act]())[field], true);
    assert.deepEqual(ids(await alice.v1[list].list()), [me.bob.id]);
    assert.equal((await alice.v1.accounts.$select(me.bob.id)[undo]())[field], false);
  }
  await alice.v1.accounts.$select(me.bob.id).follow({ reblogs: false, notify: true, languages: ["en"] });
  const [kept] = await alice.v1.accounts.relationships.fetch({ id: [me.bob.id] });
  assert.deepEqual([kept.showingReblogs, kept.notifying, kept.languages], [false, true, ["en"]]);
  assert.equal((await alice.v1.accounts.$select(me.bob.id).pin()).endorsed, true);
  assert.deepEqual(ids(await alice.v1.endorsements.list()), [me.bob.id]);
  assert.equal((await alice.v1.accounts.$select(me.bob.id).unpin()).endorsed, false);
  assert.equal((await alice.v1.accounts.$select(me.bob.id).note.create({ comment: "a friend" })).note, "a friend");
  const changed = await alice.v1.accounts.updateCredentials({ displayName: "Alice of masto", source: { privacy: "unlisted" } });
  assert.equal(changed.displayName, "Alice of masto");
  assert.equal(changed.source.privacy, "unlisted");
  await alice.v1.accounts.updateCredentials({ source: { privacy: "public" } });
  assert.equal((await alice.v1.accounts.$select(me.bob.id).unfollow()).following, false);
  await refused(404, nobody.v1.accounts.$select("1").fetch());
});

step("lists and tags", async () => {
  await alice.v1.accounts.$select(me.bob.id).follow();
  const list = await alice.v1.lists.create({ title: "masto" });
  await alice.v1.lists.$select(list.id).accounts.create({ accountIds: [me.bob.id] });
  assert.deepEqual(ids(await alice.v1.lists.$select(list.id).accounts.list()), [me.bob.id]);
  await alice.v1.lists.$select(list.id).accounts.remove({ accountIds: [me.bob.id] });
  assert.equal((await alice.v1.lists.$select(list.id).update({ title: "other" })).title, "other");
  await alice.v1.lists.$select(list.id).remove();
  await refused(404, alice.v1.lists.$select(list.id).fetch());
  assert.equal((await alice.v1.tags.$select("mastojs").follow()).following, true);
  assert.deepEqual((await alice.v1.followedTags.list()).map((tag) => tag.name), ["mastojs"]);
  assert.equal((await alice.v1.tags.$select("mastojs").unfollow()).following, false);
});

step("filters", async () => {
  const filter = await alice.v2.filters.create({
    title: "mastofiltered", context: ["home", "public"], filterAction: "warn", keywordsAttributes: [{ keyword: "mastofiltered", wholeWord: true }],
  });
  assert.equal(filter.keywords[0].keyword, "mastofiltered");
  const { id } = await bob.v1.statuses.create({ status: "this is mastofiltered" });
  const [first] = await alice.v1.timelines.public.list({ limit: 1 });
  assert.equal(first.id, id);
  assert.equal(first.filtered[0].filter.id, filter.id);
  await alice.v2.filters.$select(filter.id).remove();
  assert.deepEqual(await alice.v2.filters.list(), []);
}, "POST /api/v2/filters");

step("notifications", async () => {
  await alice.v1.notifications.clear();
  const post = await bob.v1.statuses.create({ status: `@${me.alice.acct} look` });
  const [notice] = await eventually("a notice", async () => {
    const found = await alice.v1.notifications.list({ types: ["mention"] });
    return found.length && found;
  });
  assert.equal(notice.status.id, post.id);
  assert.equal((await alice.v1.notifications.$select(notice.id).fetch()).id, notice.id);
  await alice.v1.notifications.$select(notice.id).dismiss();
  assert.deepEqual(await alice.v1.notifications.list(), []);
});

step("conversations", async () => {
  const { id } = await bob.v1.statuses.create({ status: `@${me.alice.acct} psst`, visibility: "direct" });
  const [talk] = await alice.v1.conversations.list();
  assert.equal(talk.lastStatus.id, id);
  assert.deepEqual(talk.accounts.map((one) => one.id), [me.bob.id]);
  assert.equal(talk.unread, true);
  assert.equal((await alice.v1.conversations.$select(talk.id).read()).unread, false);
  await alice.v1.conversations.$select(talk.id).remove();
  assert.equal((await alice.v1.conversations.list()).some((one) => one.id === talk.id), false);
}, "DELETE /api/v1/conversations/:x");

step("notifications in groups", async () => {
  await alice.v1.notifications.clear();
  const { id } = await alice.v1.statuses.create({ status: "for a group" });
  await bob.v1.statuses.$select(id).favourite();
  await eventually("a notice", async () => (await alice.v1.notifications.list()).length === 1);
  const { accounts, statuses, notificationGroups: [group] } = await alice.v2.notifications.list();
  assert.equal(group.statusId, id);
  assert.equal(statuses[0].id, id);
  assert.deepEqual(group.sampleAccountIds, [accounts[0].id]);
  assert.equal((await alice.v2.notifications.unreadCount.fetch()).count, 1);
  const one = alice.v2.notifications.$select(group.groupKey);
  assert.equal((await one.fetch()).notificationGroups[0].mostRecentNotificationId, group.mostRecentNotificationId);
  assert.equal((await one.accounts.list())[0].id, accounts[0].id);
  assert.equal((await alice.v2.notifications.policy.fetch()).forNotFollowing, "accept");
  await one.dismiss();
  assert.deepEqual((await alice.v2.notifications.list()).notificationGroups, []);
}, "GET /api/v2/notifications");

step("markers", async () => {
  const { id } = await alice.v1.statuses.create({ status: "read up to here" });
  assert.equal((await alice.v1.markers.create({ home: { lastReadId: id } })).home.lastReadId, id);
  assert.equal((await alice.v1.markers.fetch({ timeline: ["home"] })).home.lastReadId, id);
}, "POST /api/v1/markers");

step("search", async () => {
  const found = await alice.v2.search.list({ q: `@${me.bob.acct}`, type: "accounts", resolve: true });
  assert.deepEqual(ids(found.accounts), [me.bob.id]);
  assert.deepEqual((await alice.v2.search.list({ q: "#mastojs", type: "hashtags" })).hashtags.map((tag) => tag.name), ["mastojs"]);
});

await runSteps();
