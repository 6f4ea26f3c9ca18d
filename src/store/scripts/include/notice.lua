-- Telling the user `uid` what others did (keys.h, notices; social/notices/notice.h). The script that includes this has made sure that he
-- lives, and tells when what it is about is really new: beside the ZADD into the set that says who.
--: key notices       NOTICES uid
--: key notice_gone   NOTICEGONE uid
--: key notice_apart  APART uid
--: key notice_state  HOMESTATE uid
--: key notice_quiet  QUIET uid

-- What processes remember of his notices is old: a time that is later than the one before.
local function notice_changed()
    local time = redis.call('TIME')
    local last = tonumber(redis.call('HGET', notice_state, HOMESTATE_NOTICES) or '0')
    local now = math.max(last + 1, time[1] * 1000000 + time[2])
    redis.call('HSET', notice_state, HOMESTATE_NOTICES, string.format('%.0f', now))
end

-- Whether he wants to hear nothing of somebody: one of them blocks the other, or he mutes his notifications.
local function notice_is_hushed(from)
    local marks = redis.call('HGET', notice_apart, from) or ''
    if string.find(marks, '[bB]') then
        return true
    end
    local ends = string.match(marks, ':(%d+)$')
    return string.find(marks, 'n') ~= nil and (not ends or tonumber(ends) > redis.call('TIME')[1] * 1000)
end

-- A time (us) that nothing of what he is told has had: the given one, or one later than all. It is the id of what happened then, so who has
-- read up to an id has missed nothing.
local function notice_time(time)
    local told = redis.call('HGET', notice_state, HOMESTATE_TOLD) or redis.call('ZRANGE', notices, -1, -1, 'WITHSCORES')[2]
    return math.max(tonumber(time), tonumber(told or '0') + 1)
end

-- Tells that `from` did something at a time (us), which belongs to this group of notices. `root`: the first post of the conversation that
-- it is about, which he may have muted; nil: none. Told again, or later than something newer of the group, it changes nothing; what was
-- dismissed does not come back. A set that says who it was has him by the same time, which notice_time gave.
local function notice_tell(group, from, time, root)
    local last = math.max(tonumber(redis.call('ZSCORE', notices, group) or '0'),
                          tonumber(redis.call('ZSCORE', notice_gone, group) or '0'))
    if from == uid or last >= tonumber(time) or notice_is_hushed(from) or (root and redis.call('ZSCORE', notice_quiet, root)) then
        return
    end
    time = string.format('%.0f', notice_time(time))
    redis.call('ZADD', notices, time, group)
    redis.call('ZREMRANGEBYRANK', notices, 0, -1001)
    redis.call('HSET', notice_state, HOMESTATE_TOLD, time)
    notice_changed()
end

-- Something of the group was taken back. `left`: the time of the newest that is left; nil: there is none.
local function notice_end(group, left)
    if not redis.call('ZSCORE', notices, group) then
        return
    end
    if left and tonumber(left) > tonumber(redis.call('ZSCORE', notice_gone, group) or '0') then
        redis.call('ZADD', notices, 'XX', 'LT', left, group)
    else
        redis.call('ZREM', notices, group)
    end
    notice_changed()
end
