#!lua flags=no-writes
-- All lists of a user, oldest first, and on which of them somebody is. lists: {id, title, number of members, 1 when he is on it, exclusive
-- ('' or 1), replies} of each.
--: key     lists   LISTS uid
--: arg     uid     id
--: arg     prefix  prefix
--: arg     about   id      -- that somebody; 0: nobody
--: returns lists:any
local r = {}
for _, id in ipairs(redis.call('ZRANGE', lists, 0, -1)) do
    local list = redis.call('HMGET', prefix .. KEY_LIST .. id, LIST_TITLE, LIST_EXCLUSIVE, LIST_REPLIES)
    if list[1] then
        local members = prefix .. KEY_MEMBERS .. id
        local is_on = about ~= '0' and redis.call('ZSCORE', members, about)
        r[#r + 1] = {id, list[1], redis.call('ZCARD', members), is_on and 1 or 0, list[2] or '', list[3] or ''}
    end
end
return {r}
