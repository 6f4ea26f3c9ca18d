#!lua
-- Changes the words of a post (and its place), and keeps what they were. A job brings the lists that follow from the words after.
--include job_queue
--include limit
--: key    record     POST id
--: key    history    HISTORY id
--: arg    uid        id      -- who edits
--: arg    id         id
--: arg    now        number  -- ms
--: arg    created    number  -- ms, of the post
--: arg    edited     number  -- ms: since when it has the words that the caller knows; 0: since it was written
--: arg    tags       text    -- what it had and what it has: comma separated
--: arg    people     text    -- whom it told and whom it tells: uids, comma separated
--: arg    text       text
--: arg    spoiler    text
--: arg    language   text
--: arg    place      text
--: arg    mentions   text
--: arg    sensitive  flag
--: arg    kept       number  -- versions
--: reply  OK         changed:flag post:POST versions:any
--: reply  GONE
--: reply  FORBIDDEN
--: reply  STALE
--: reply  CHANGED    post:POST
-- post: as it is then; versions: what it was, as `history` has it. STALE: another process has a job of this id. CHANGED: it has other words than the caller knows, so it had other tags.
local function edited_now(changed)
    return {OK, changed, redis.call('HMGET', record, POST_SHOWN), redis.call('LRANGE', history, 0, -1)}
end

local is_there, is_mine = job_find()
if is_mine then
    return edited_now('1') -- the same call again after a lost reply
end
local old = redis.call('HMGET', record, POST_AUTHOR, POST_TEXT, POST_SPOILER, POST_LANGUAGE, POST_EDITED, POST_BOOST, POST_PLACE,
                       POST_SENSITIVE)
if not old[1] or old[6] then
    return {GONE}
end
if old[1] ~= uid then
    return {FORBIDDEN}
end
if old[2] == text and (old[3] or '') == spoiler and (old[4] or '') == language and (old[7] or '') == place and
   (old[8] or '0') == sensitive then
    return edited_now('0')
end
if is_there then
    return {STALE}
end
if (old[5] or '0') ~= edited then
    return {CHANGED, redis.call('HMGET', record, POST_SHOWN)}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
-- two edits never have the same time: it is by that that they are told apart
local time = string.format('%.0f', math.max(tonumber(now), tonumber(old[5] or '0') + 1))
redis.call('RPUSH', history, (old[5] or created) .. (old[8] == '1' and 's' or ''), old[3] or '', old[2])
redis.call('LTRIM', history, -3 * kept, -1)
redis.call('HSET', record, POST_TEXT, text, POST_SPOILER, spoiler, POST_LANGUAGE, language, POST_MENTIONS, mentions,
           POST_EDITED, time, POST_PLACE, place)
if sensitive == '1' then
    redis.call('HSET', record, POST_SENSITIVE, sensitive)
else
    redis.call('HDEL', record, POST_SENSITIVE)
end
job_queue(JOB_POST, id, JOB_TARGETS, tags, JOB_PEOPLE, people)
return edited_now('1')
