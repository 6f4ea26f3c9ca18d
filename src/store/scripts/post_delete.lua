#!lua flags=allow-oom
-- Takes a post back. Readers drop ids whose post is gone, so it is invisible from here on; a job cleans up.
--include boosted
--include job_queue
--include limit
--include notice
--include posted
--: key    record     POST id
--: key    posts      POSTS uid
--: key    directs    DIRECTS uid
--: key    pins       PINS uid
--: key    home       HOME uid
--: key    watchers   WATCHERS uid
--: key    posted     POSTED uid
--: arg    uid        id      -- the author
--: arg    id         id
--: arg    edited     number  -- ms: since when the post has the words that the caller knows; 0: since it was written
--: arg    tags       text    -- comma separated
--: arg    reply_to   id      -- the post answered; 0: none
--: arg    thread     id      -- the first post of that conversation; 0: none
--: arg    people    text    -- whom it mentions or answers: uids, comma separated. Who may have been told of it besides is added
--: reply  OK
--: reply  GONE
--: reply  FORBIDDEN
--: reply  STALE
--: reply  CHANGED    post:POST
-- STALE: another process has a job of this id. CHANGED: it has other words than the caller knows, so it had other tags and told others.
local is_there, is_mine = job_find()
if is_mine then
    return {OK} -- the same call again after a lost reply
end
local found = redis.call('HMGET', record, POST_AUTHOR, POST_BOOST, POST_EDITED, POST_REPLY_AUTHOR)
if not found[1] then
    return {GONE}
end
if found[1] ~= uid then
    return {FORBIDDEN}
end
if is_there then
    return {STALE}
end
if (found[3] or '0') ~= edited then
    return {CHANGED, redis.call('HMGET', record, POST_SHOWN)}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('DEL', record)
posted_add(posted, -redis.call('ZREM', posts, id))
redis.call('ZREM', directs, id)
redis.call('LREM', home, 0, id)
local marked = redis.call('ZREM', pins, id)
if found[2] then
    marked = marked + redis.call('ZREM', boosted, found[2] .. ' ' .. id)
    notice_end('e:' .. found[2]) -- edits of what he boosts no more do not concern him
end
if marked > 0 then
    marks_changed()
end
if not found[2] and (not found[4] or string.find(found[4], '^' .. uid .. ':')) then
    local told = table.concat(redis.call('ZRANGE', watchers, 0, -1), ',')
    people = told == '' and people or people == '' and told or people .. ',' .. told
end
job_queue(JOB_POST, id, JOB_TARGETS, tags, JOB_REPLY_TO, reply_to, JOB_THREAD, thread, JOB_PEOPLE, people)
if found[2] then
    redis.call('HSET', job, JOB_BOOST, found[2])
end
return {OK}
