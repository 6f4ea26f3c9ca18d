// megalodon.mjs - megalodon against the server: what it makes of entities, and how it finds out what the server is.
// Run by tests/e2e/test_api_js.py.
import assert from "node:assert/strict";
import { eventually, ids, load, refused, runSteps, step, world } from "./steps.mjs";

const { default: generator, detector } = load("megalodon");
const [alice, bob] = world.people.map(({ token }) => generator("mastodon", world.url, token));
const nobody = generator("mastodon", world.url);
const me = {};

step("what the server is", async () => {
  assert.equal(await detector(world.url), "mastodon");
  const site = (await nobody.getInstance()).data;
  assert.equal(site.uri, world.url.replace("http://", ""));
  assert.equal(typeof site.stats.user_count, "number");
  assert.deepEqual((await nobody.getInstanceCustomEmojis()).data, []);
});

step("application and token", async () => {
  const app = await nobody.registerApp("megalodon", { scopes: ["read", "write", "follow"] });
  assert.ok(app.client_id && app.client_secret && app.url.startsWith(`${world.url}/oauth/authorize?`));
  assert.ok((await alice.verifyAppCredentials()).data.name);
  [me.alice, me.bob] = [(await alice.verifyAccountCredentials()).data, (await bob.verifyAccountCredentials()).data];
  assert.equal(me.alice.username, world.people[0].name);
  await refused(401, nobody.verifyAccountCredentials());
});

step("posts", async () => {
  const post = (await alice.postStatus("Hello from megalodon", { visibility: "public" })).data;
  const answer = (await bob.postStatus("an answer", { in_reply_to_id: post.id })).data;
  assert.deepEqual(ids((await nobody.getStatusContext(post.id)).data.descendants), [answer.id]);
  assert.ok((await alice.editStatus(post.id, { status: "Hello, edited" })).data.edited_at);
  assert.equal((await alice.getStatusSource(post.id)).data.text, "Hello, edited");
  for (const [act, field] of [["favourite", "favourited"], ["reblog", "reblogged"], ["bookmark", "bookmarked"], ["mute", "muted"]]) {
    assert.equal((await alice[`${act}Status`](post.id)).data[field], true, act);
    assert.equal((await alice[`un${act}Status`](post.id)).data[field], false, act);
  }
  assert.equal((await alice.pinStatus(post.id)).data.pinned, true);
  assert.equal((await alice.unpinStatus(post.id)).data.pinned, false);
  await bob.favouriteStatus(post.id);
  assert.deepEqual(ids((await nobody.getStatusFavouritedBy(post.id)).data), [me.bob.id]);
  assert.equal((await bob.getFavourites({ limit: 1 })).data[0].id, post.id);
  await alice.deleteStatus(post.id);
  await refused(404, nobody.getStatus(post.id));
});

step("timelines", async () => {
  await alice.followAccount(me.bob.id);
  const made = [];
  for (let n = 0; n < 3; n++) made.unshift((await bob.postStatus(`line ${n} #megalodon`)).data.id);
  await eventually("the posts are at home", async () => (await alice.getHomeTimeline({ limit: 1 })).data[0]?.id === made[0]);
  assert.deepEqual(ids((await nobody.getTagTimeline("megalodon", { limit: 2 })).data), made.slice(0, 2));
  assert.deepEqual(ids((await nobody.getTagTimeline("megalodon", { max_id: made[1] })).data), made.slice(2));
  assert.deepEqual(ids((await nobody.getTagTimeline("megalodon", { min_id: made[2], limit: 1 })).data), [made[1]]);
  assert.deepEqual(ids((await nobody.getLocalTimeline({ limit: 3 })).data), made);
  assert.deepEqual(ids((await nobody.getAccountStatuses(me.bob.id, { limit: 3 })).data), made);
});

step("people, lists, tags", async () => {
  assert.deepEqual(ids((await alice.getRelationships([me.bob.id])).data), [me.bob.id]);
  for (const [act, field] of [["block", "blocking"], ["mute", "muting"], ["follow", "following"]]) {
    assert.equal((await alice[`${act}Account`](me.bob.id, true)).data[field], true, act);
    assert.equal((await alice[`un${act}Account`](me.bob.id)).data[field], false, act);
  }
  assert.equal((await alice.followAccount(me.bob.id, { reblog: false })).data.following, true);
  assert.equal((await alice.pinAccount(me.bob.id)).data.endorsed, true);
  assert.deepEqual(ids((await alice.getEndorsements()).data), [me.bob.id]);
  assert.equal((await alice.unpinAccount(me.bob.id)).data.endorsed, false);
  const list = (await alice.createList("megalodon")).data;
  await alice.addAccountsToList(list.id, [me.bob.id]);
  assert.deepEqual(ids((await alice.getAccountsInList(list.id)).data), [me.bob.id]);
  await alice.deleteAccountsFromList(list.id, [me.bob.id]);
  assert.deepEqual((await alice.getAccountsInList(list.id)).data, []);
  await alice.deleteList(list.id);
  assert.equal((await alice.followTag("megalodon")).data.following, true);
  assert.equal((await alice.getFollowedTags()).data[0].name, "megalodon");
  assert.equal((await alice.unfollowTag("megalodon")).data.following, false);
  assert.equal((await alice.updateCredentials({ display_name: "Alice of megalodon" })).data.display_name, "Alice of megalodon");
});

step("notifications and search", async () => {
  await alice.dismissNotifications();
  const post = (await bob.postStatus(`@${me.alice.acct} look`)).data;
  const notice = await eventually("a notice", async () => (await alice.getNotifications({ limit: 1 })).data[0]);
  assert.equal(notice.type, "mention");
  assert.equal(notice.status.id, post.id);
  await alice.dismissNotification(notice.id);
  assert.deepEqual((await alice.getNotifications()).data, []);
  assert.deepEqual(ids((await alice.search(me.bob.acct, { type: "accounts", resolve: true })).data.accounts), [me.bob.id]);
});

step("conversations", async () => {
  const post = (await bob.postStatus(`@${me.alice.acct} psst`, { visibility: "direct" })).data;
  const [talk] = (await alice.getConversationTimeline({ limit: 1 })).data;
  assert.equal(talk.last_status.id, post.id);
  assert.deepEqual(ids(talk.accounts), [me.bob.id]);
  assert.equal((await alice.readConversation(talk.id)).data.unread, false);
  await alice.deleteConversation(talk.id);
  assert.equal(ids((await alice.getConversationTimeline()).data).includes(talk.id), false);
}, "DELETE /api/v1/conversations/:x");

step("filters", async () => {
  const filter = (await alice.createFilter("megafiltered", ["home"])).data;
  assert.equal((await alice.getFilter(filter.id)).data.phrase, "megafiltered");
  await alice.deleteFilter(filter.id);
  assert.deepEqual((await alice.getFilters()).data, []);
}, "POST /api/v1/filters");

step("markers", async () => {
  const post = (await alice.postStatus("read up to here")).data;
  assert.equal((await alice.saveMarkers({ home: { last_read_id: post.id } })).data.home.last_read_id, post.id);
  assert.equal((await alice.getMarkers(["home"])).data.home.last_read_id, post.id);
}, "POST /api/v1/markers");

await runSteps();
