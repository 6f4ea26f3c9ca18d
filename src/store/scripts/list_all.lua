#!lua flags=no-writes
-- All lists of a user, oldest first, and on which of them somebody is. lists: {id, title, number of members, 1 when he is on it} of each.
--: key     lists   LISTS uid
--: arg     uid     id
--: arg     prefix  prefix
--: arg     about   id      -- that somebody; 0: nobody
--: returns lists:any
local r = {}
for _, id in ipairs(redis.call('ZRANGE', lists, 0, -1)) do
    local title = redis.call('HGET', prefix .. KEY_LIST .. id, LIST_TITLE)
    if title then
        local members = prefix .. KEY_MEMBERS .. id
        local is_on = about ~= '0' and redis.call('ZSCORE', members, about)
        r[#r + 1] = {id, title, redis.call('ZCARD', members), is_on and 1 or 0}
    end
end
return {r}
