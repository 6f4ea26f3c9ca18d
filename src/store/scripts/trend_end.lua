#!lua flags=allow-oom
-- A post with tags is gone. If it was the newest of its author's with a tag, he does not count there any more, nor does this use of
-- it; older posts that go stay in what is told of past days.
--include trend_count
--include trend_day
--: arg   uid     id
--: texts tags
--: returns tags:number
for i = tags, #ARGV do
    local set = trend_people(ARGV[i])
    if redis.call('ZSCORE', set, uid) == at then
        redis.call('ZREM', set, uid)
        trend_count(ARGV[i])
        trend_day(ARGV[i], -1, -1)
    end
end
return {#ARGV - tags + 1}
