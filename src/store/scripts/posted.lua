#!lua flags=allow-oom
-- How many posts the people of a bucket have. They are counted once; from then on the scripts that store and delete posts do it.
--include posted_count
--: returns posts:number
if not stored then
    stored = posted_count()
    redis.call('SET', posted, stored)
end
return {tonumber(stored)}
