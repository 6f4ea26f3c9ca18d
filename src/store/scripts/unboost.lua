#!lua flags=allow-oom
-- Takes a boost back, as post_delete.lua takes back a post: whoever asks knows what was boosted, and need not know the boost.
--include boosted
--include job_queue
--include limit
--include notice
--include posted
--: key    posts      POSTS uid
--: key    home       HOME uid
--: key    posted     POSTED uid
--: arg    prefix     prefix
--: arg    uid        id      -- whose boost it is
--: arg    post       id      -- what it boosts
--: reply  OK         boost:id
--: reply  GONE
--: reply  STALE
-- STALE: another process has a job of this id.
local is_there, is_mine = job_find()
if is_mine then
    return {OK, redis.call('HGET', job, JOB_POST)} -- the same call again after a lost reply
end
local boost = boost_of(post)
if not boost then
    return {GONE}
end
if is_there then
    return {STALE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
redis.call('DEL', prefix .. KEY_POST .. boost)
posted_add(posted, -redis.call('ZREM', posts, boost))
redis.call('LREM', home, 0, boost)
redis.call('ZREM', boosted, post .. ' ' .. boost)
notice_end('e:' .. post) -- edits of what he boosts no more do not concern him
marks_changed()
job_queue(JOB_POST, boost, JOB_BOOST, post)
return {OK, boost}
