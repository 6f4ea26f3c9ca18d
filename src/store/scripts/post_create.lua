#!lua
-- Publishes a post: record, own posts, own home and the job that delivers it, then the acknowledgement. Of a boost its author has one
-- for each post, which is its own acknowledgement.
--include boosted
--include job_queue
--include home
--include limit
--include posted
--include see
--: key    user        USER uid
--: key    record      POST id
--: key    posts       POSTS uid
--: key    directs     DIRECTS uid
--: key    home        HOME uid
--: key    followers   FOLLOWERS uid
--: key    answered    REQUEST uid request
--: key    last        NEWEST uid
--: key    watchers    WATCHERS uid
--: key    posted      POSTED uid
--: arg    uid         id      -- the author
--: arg    id          id
--: arg    request     text    -- names the request
--: arg    remember    number  -- seconds to remember the request
--: arg    mode        text    -- of the site, as the caller knows it
--: arg    celebrity   number  -- hybrid: with more followers an author is one
--: arg    kept        number  -- ids in a home
--: arg    late        number  -- by how many ms the id may be older than the engine's clock
--: arg    boost       id      -- the post that it boosts; 0: none
--: arg    direct      flag    -- it stands on no timeline
--: arg    ahead       number  -- and ahead of it
--: fields post        POST
--: reply  OK          id:id followers:number how:push|pull|mark watchers:any state:text discoverable:text
--: reply  AGAIN       id:id
--: reply  STALE       newest:id
--: reply  CLOCK       now:number
--: reply  GONE
-- followers: in all (0 in pull mode). watchers: who wants to be told. state, discoverable: of the author, as in his record. how: push deliver to homes, pull do not, mark deliver, and from the next post on do
-- not.
-- CLOCK: the id is too far from the engine's time (ms).

-- the request sent again, by its author or because its reply was lost
local is_boost = boost ~= '0'
local before
if is_boost then
    before = boost_of(boost)
else
    before = redis.call('GET', answered)
end
if before then
    return {AGAIN, before}
end
local author = redis.call('HMGET', user, USER_NAME, USER_DELETED, USER_CELEBRITY, USER_STATE, USER_DISCOVERABLE)
if not author[1] or author[2] == '1' then
    return {GONE}
end
-- ids of one author only grow, whichever process made them; ids are compared as text (see base/id.h)
local own = direct == '1' and directs or posts
local newest = redis.call('ZRANGE', own, '+', '-', 'BYLEX', 'REV', 'LIMIT', 0, 1)[1]
if newest and newest >= id then
    return {STALE, newest}
end
if redis.call('EXISTS', record, job) > 0 then
    return {STALE, id} -- the id is another's, of the post or of the job
end
-- so that ids arrive nearly in order, whatever clocks the servers have (see social/core/social.h). An author whose newest
-- post lies ahead, because the engine's clock was set back since, goes on from there.
local time = redis.call('TIME')
local now, ms = time[1] * 1000 + math.floor(time[2] / 1000), math.floor(tonumber(id) / 65536)
local own_ms = newest and math.floor(tonumber(newest) / 65536) or 0
if ms < now - tonumber(late) or (ms > now + tonumber(ahead) and ms > own_ms + 2) then
    return {CLOCK, string.format('%.0f', now)}
end
if not see_may() then
    return {HIDDEN}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
local how = direct == '1' and 'pull' or mode
local count = how == 'pull' and 0 or redis.call('ZCARD', followers)
if how ~= 'push' and how ~= 'pull' then
    local most = tonumber(celebrity)
    if author[3] ~= '1' then
        how = count > most and 'mark' or 'push'
    elseif count * 2 < most then -- half, so that nobody goes to and fro
        redis.call('HDEL', user, USER_CELEBRITY)
        how = 'push'
    else
        how = 'pull'
    end
end
redis.call('HSET', record, unpack(ARGV, post))
redis.call('ZADD', own, 0, id)
if direct == '0' then
    redis.call('SET', last, id)
    posted_add(posted, 1)
end
local first = direct == '0' and redis.call('LINDEX', home, 0)
if first then
    local length
    kept = tonumber(kept)
    if first < id then
        length = redis.call('LPUSH', home, id)
    else
        home_place(home, id, kept)
        length = redis.call('LLEN', home)
    end
    -- deliveries cut a home, but nobody else may ever write into this one
    if length > kept + 64 then
        redis.call('LTRIM', home, 0, kept - 1)
    end
end
job_queue(JOB_POST, id, JOB_DELIVERS, how == 'pull' and '0' or '1', JOB_MODE, mode)
if is_boost then
    redis.call('HSET', job, JOB_BOOST, boost)
    redis.call('ZADD', boosted, 0, boost .. ' ' .. id)
    marks_changed()
else
    redis.call('SET', answered, id, 'EX', remember)
end
local told = {}
if not is_boost and direct == '0' then
    told = redis.call('ZRANGE', watchers, '(0', '+inf', 'BYSCORE')
end
return {OK, id, count, how, told, author[4] or '', author[5] or ''}
