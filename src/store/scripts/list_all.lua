#!lua flags=no-writes
-- All lists of a user, oldest first, and on which of them somebody is.
-- KEYS  lists
-- ARGV  bucket prefix, uid of that somebody ('' = nobody)
-- reply {id, title, number of members, 1 when he is on it, else 0, …}
local r = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local title = redis.call('HGET', ARGV[1] .. 'list:' .. id, 'title')
    if title then
        local members = ARGV[1] .. 'members:' .. id
        r[#r + 1] = id
        r[#r + 1] = title
        r[#r + 1] = redis.call('ZCARD', members)
        r[#r + 1] = ARGV[2] ~= '' and redis.call('ZSCORE', members, ARGV[2]) and 1 or 0
    end
end
return r
