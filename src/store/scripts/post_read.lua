#!lua flags=no-writes
-- A post with its author (both lie in one bucket), so that a page needs one round trip for both.
-- KEYS  post, replies
-- ARGV  bucket prefix
-- reply {author, text, reply_to, reply_author, mentions, number of replies, name, display, bio, role, deleted} or {}
local p = redis.call('HMGET', KEYS[1], 'author', 'text', 'reply_to', 'reply_author', 'mentions')
if not p[1] then
    return {}
end
local u = redis.call('HMGET', ARGV[1] .. 'user:' .. p[1], 'name', 'display', 'bio', 'role', 'deleted')
for i = 1, 5 do
    p[i] = p[i] or ''
    p[6 + i] = u[i] or ''
end
p[6] = redis.call('ZCARD', KEYS[2])
return p
