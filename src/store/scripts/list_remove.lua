#!lua flags=allow-oom
-- Takes up to 500 people off a list. Those who are not on it are off already.
--: key   list     LIST id
--: key   members  MEMBERS id
--: arg   id       id
--: arg   owner    id
--: ids   targets
--: reply OK
--: reply GONE
if redis.call('HGET', list, LIST_OWNER) ~= owner then
    return {GONE}
end
redis.call('ZREM', members, unpack(ARGV, targets))
return {OK}
