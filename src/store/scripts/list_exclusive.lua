#!lua flags=no-writes
-- Everybody on a user's exclusive lists; somebody may be there twice.
--: key   lists   LISTS uid
--: arg   uid     id
--: arg   prefix  prefix
--: returns uids:any
local uids = {}
for _, id in ipairs(redis.call('ZRANGE', lists, 0, -1)) do
    if redis.call('HGET', prefix .. KEY_LIST .. id, LIST_EXCLUSIVE) == '1' then
        for _, member in ipairs(redis.call('ZRANGE', prefix .. KEY_MEMBERS .. id, 0, -1)) do
            uids[#uids + 1] = member
        end
    end
end
return {uids}
