#!lua flags=no-writes
-- A user by id: record and counts.
-- KEYS  user, posts, following, followers
-- reply {name, display, bio, role, deleted, posts, following, followers}; name is nil when there is no such user
local u = redis.call('HMGET', KEYS[1], 'name', 'display', 'bio', 'role', 'deleted')
u[6] = redis.call('ZCARD', KEYS[2])
u[7] = redis.call('ZCARD', KEYS[3])
u[8] = redis.call('ZCARD', KEYS[4])
return u
