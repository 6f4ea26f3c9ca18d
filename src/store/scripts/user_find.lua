#!lua flags=no-writes
-- A user by name, with one page of what belongs to him: all lies in one bucket.
-- KEYS  name
-- ARGV  bucket prefix, what ('' | 'password' | 'posts' | 'following' | 'followers'), from, to, order ('rev' | 'fwd'), limit
--       posts: from and to are BYLEX bounds; following, followers: BYSCORE bounds
-- reply {uid, name, display, bio, role, deleted, posts, following, followers, page} or {} when there is none;
--       page: ids; or ids and times in turn; or {hash of the password}
local uid = redis.call('GET', KEYS[1])
if not uid then
    return {}
end
local prefix, what = ARGV[1], ARGV[2]
local user = prefix .. 'user:' .. uid
local r = {uid, unpack(redis.call('HMGET', user, 'name', 'display', 'bio', 'role', 'deleted'), 1, 5)}
r[7] = redis.call('ZCARD', prefix .. 'posts:' .. uid)
r[8] = redis.call('ZCARD', prefix .. 'following:' .. uid)
r[9] = redis.call('ZCARD', prefix .. 'followers:' .. uid)
r[10] = {}
if what == 'password' then
    r[10] = {redis.call('HGET', user, 'password')}
elseif what == 'posts' then
    local range = {'ZRANGE', prefix .. 'posts:' .. uid, ARGV[3], ARGV[4], 'BYLEX'}
    if ARGV[5] == 'rev' then
        range[#range + 1] = 'REV'
    end
    range[#range + 1] = 'LIMIT'
    range[#range + 1] = 0
    range[#range + 1] = ARGV[6]
    r[10] = redis.call(unpack(range))
elseif what ~= '' then
    local range = {'ZRANGE', prefix .. what .. ':' .. uid, ARGV[3], ARGV[4], 'BYSCORE'}
    if ARGV[5] == 'rev' then
        range[#range + 1] = 'REV'
    end
    range[#range + 1] = 'LIMIT'
    range[#range + 1] = 0
    range[#range + 1] = ARGV[6]
    range[#range + 1] = 'WITHSCORES'
    r[10] = redis.call(unpack(range))
end
for i = 2, 6 do
    r[i] = r[i] or ''
end
return r
