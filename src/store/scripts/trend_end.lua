#!lua flags=allow-oom
-- A post with tags is gone. If it was the newest of its author's with a tag, he does not count there any more.
--include trend_count
--: arg   uid     id
--: arg   at      number  -- ms: the time of the post
--: texts tags
--: returns tags:number
for i = tags, #ARGV do
    local set = trend_people(ARGV[i])
    if redis.call('ZSCORE', set, uid) == at then
        redis.call('ZREM', set, uid)
        trend_count(ARGV[i])
    end
end
return {#ARGV - tags + 1}
