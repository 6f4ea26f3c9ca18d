#!lua
-- Stores posts of many authors of one bucket at once, each as post_create does but for deliveries: no home gets them.
-- KEYS  user, posts, newest, post   (of each post)
-- ARGV  uid, post id, words that follow, text, field, value, …   (of each post but its text; those of one author oldest first)
-- reply {"ok" | "gone" | another id: this post needs a newer one than that, …}
local call = redis.call
local alive = {}
local r = {}
local at = 1
for i = 1, #KEYS / 4 do
    local k = 4 * i - 3
    local uid, id, words = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    if alive[uid] == nil then
        local user = call('HMGET', KEYS[k], 'name', 'deleted')
        alive[uid] = user[1] ~= false and user[2] ~= '1'
    end
    local newest = call('GET', KEYS[k + 2])
    if not alive[uid] then
        r[i] = 'gone'
    elseif newest and newest ~= '0' and newest >= id then
        -- the same call again after a lost reply finds its own posts
        local before = call('HMGET', KEYS[k + 3], 'author', 'text')
        r[i] = before[1] == uid and before[2] == ARGV[at + 3] and 'ok' or newest
    elseif call('EXISTS', KEYS[k + 3]) == 1 then
        r[i] = id -- somebody else's
    else
        call('HSET', KEYS[k + 3], 'author', uid, 'text', ARGV[at + 3], unpack(ARGV, at + 4, at + 2 + words))
        call('ZADD', KEYS[k + 1], 0, id)
        call('SET', KEYS[k + 2], id)
        r[i] = 'ok'
    end
    at = at + 3 + words
end
return r
