#!lua flags=no-writes
-- An author's posts within bounds: ids, and for the first few also what a page needs to show them.
-- KEYS  posts
-- ARGV  bucket prefix, from, to (BYLEX bounds), 'rev' | 'fwd', most ids, most bodies, author uid, id above which bodies
--       are wanted ('0': all)
-- reply {ids, name, display, bio, role, deleted, {text, reply_to, reply_author, mentions, number of replies, …}}
local range = {'ZRANGE', KEYS[1], ARGV[2], ARGV[3], 'BYLEX'}
if ARGV[4] == 'rev' then
    range[#range + 1] = 'REV'
end
range[#range + 1] = 'LIMIT'
range[#range + 1] = 0
range[#range + 1] = ARGV[5]
local ids = redis.call(unpack(range))
local r = {ids, '', '', '', '', '', {}}
local bodies = math.min(#ids, tonumber(ARGV[6]))
if ARGV[4] == 'rev' then
    while bodies > 0 and ids[bodies] <= ARGV[8] do -- the caller has these
        bodies = bodies - 1
    end
end
if bodies > 0 then
    local u = redis.call('HMGET', ARGV[1] .. 'user:' .. ARGV[7], 'name', 'display', 'bio', 'role', 'deleted')
    for i = 1, 5 do
        r[1 + i] = u[i] or ''
    end
end
for i = 1, bodies do
    local p = redis.call('HMGET', ARGV[1] .. 'post:' .. ids[i], 'text', 'reply_to', 'reply_author', 'mentions')
    for j = 1, 4 do
        r[7][#r[7] + 1] = p[j] or ''
    end
    r[7][#r[7] + 1] = redis.call('ZCARD', ARGV[1] .. 'replies:' .. ids[i])
end
return r
