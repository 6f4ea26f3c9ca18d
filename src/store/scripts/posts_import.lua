#!lua
-- Stores posts of many authors of one bucket at once, each as post_create does, but without deliveries to homes.
-- Those of one author come oldest first. results: of each post {OK}, {GONE}, or {STALE, id}: it needs a newer one than that.
--include posted
--include user
--: arg     bucket   bucket
--: arg     prefix   prefix
--: key     posted   POSTED bucket
--: rows    posts    uid:id id:id record:POST
--: returns results:any
--: reply   OK
--: reply   GONE
--: reply   STALE
local call = redis.call
local alive, results = {}, {}
local at, stored = posts, 0
while at <= #ARGV do
    local uid, id, words = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    local fields, key, newest = at + 3, prefix .. KEY_POST .. id, prefix .. KEY_NEWEST .. uid
    if alive[uid] == nil then
        alive[uid] = user_lives(prefix .. KEY_USER .. uid)
    end
    local last = call('GET', newest)
    local result = {OK}
    if not alive[uid] then
        result = {GONE}
    elseif last and last ~= '0' and last >= id then
        -- the same call again after a lost reply finds its own posts
        local before = {}
        for i = fields, fields + words - 1, 2 do
            before[#before + 1] = call('HGET', key, ARGV[i]) == ARGV[i + 1]
        end
        for _, same in ipairs(before) do
            result = same and result or {STALE, last}
        end
    elseif call('EXISTS', key) == 1 then
        result = {STALE, id} -- somebody else's
    else
        call('HSET', key, unpack(ARGV, fields, fields + words - 1))
        stored = stored + call('ZADD', prefix .. KEY_POSTS .. uid, 0, id)
        call('SET', newest, id)
    end
    results[#results + 1] = result
    at = fields + words
end
posted_add(posted, stored)
return {results}
