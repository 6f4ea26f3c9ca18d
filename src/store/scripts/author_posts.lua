#!lua flags=no-writes
-- An author's posts within bounds: ids, and for the first few also what a page needs to show them. A reader who follows a
-- thousand people makes a thousand of these calls, nearly all of which find nothing.
-- KEYS  posts
-- ARGV  bucket prefix, from, to (BYLEX bounds), 'rev' | 'fwd', most ids, most bodies, author uid, id above which bodies
--       are wanted ('0': all)
-- reply {ids, name, display, bio, role, deleted, {text, reply_to, reply_author, mentions, number of replies, …}}
--       or {ids} when there are no bodies
local call = redis.call
local ids
if ARGV[4] == 'rev' then
    ids = call('ZRANGE', KEYS[1], ARGV[2], ARGV[3], 'BYLEX', 'REV', 'LIMIT', 0, ARGV[5])
else
    ids = call('ZRANGE', KEYS[1], ARGV[2], ARGV[3], 'BYLEX', 'LIMIT', 0, ARGV[5])
end
local bodies = math.min(#ids, tonumber(ARGV[6]))
if ARGV[4] == 'rev' then
    while bodies > 0 and ids[bodies] <= ARGV[8] do -- the caller has these
        bodies = bodies - 1
    end
end
if bodies == 0 then
    return {ids}
end
local u = call('HMGET', ARGV[1] .. 'user:' .. ARGV[7], 'name', 'display', 'bio', 'role', 'deleted')
local posts = {}
for i = 1, bodies do
    local p = call('HMGET', ARGV[1] .. 'post:' .. ids[i], 'text', 'reply_to', 'reply_author', 'mentions')
    local n = #posts
    for j = 1, 4 do
        posts[n + j] = p[j] or ''
    end
    posts[n + 5] = call('ZCARD', ARGV[1] .. 'replies:' .. ids[i])
end
return {ids, u[1] or '', u[2] or '', u[3] or '', u[4] or '', u[5] or '', posts}
