#!lua
-- Puts up to 500 people on a list: all who are not on it yet, or none when there is no room for them.
--include limit
--include list_exclusive
--include time
--: key   list     LIST id
--: key   members  MEMBERS id
--: key   list_state  HOMESTATE owner
--: arg   id       id
--: arg   owner    id
--: arg   now      number  -- us
--: arg   most     number  -- members
--: ids   targets
--: reply OK       changed:any
--: reply FULL
--: reply GONE
-- changed: those who were put on it
if redis.call('HGET', list, LIST_OWNER) ~= owner then
    return {GONE}
end
local wait = limit_take()
if wait > 0 then
    return {LIMITED, wait}
end
local called, changed, rows, seen = tonumber(now), {}, {}, {}
local time = time_after(members, called + 1) - 1
for i, score in ipairs(redis.call('ZMSCORE', members, unpack(ARGV, targets))) do
    local uid, is_new = ARGV[targets + i - 1], not score
    if is_new and not seen[uid] then
        time = time + 1
        rows[#rows + 1] = digits(time)
        rows[#rows + 1] = uid
    end
    -- the same call again after a lost reply finds its own: times are later than the moment it was made
    if not seen[uid] and (is_new or tonumber(score) > called) then
        changed[#changed + 1] = uid
    end
    seen[uid] = true
end
if #rows > 0 then
    if redis.call('ZCARD', members) + #rows / 2 > tonumber(most) then
        return {FULL}
    end
    redis.call('ZADD', members, unpack(rows))
    list_changed()
end
return {OK, changed}
