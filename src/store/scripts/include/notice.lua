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

-- Tells that `from` did something at a time (us), which belongs to this group of notices. `root`: the first post of the conversation that
-- it is about, which he may have muted; nil: none. Told again, or later than something newer of the group, it changes nothing; what was
-- dismissed does not come back.
local function notice_tell(group, from, time, root)
    time = tonumber(time)
    local last = math.max(tonumber(redis.call('ZSCORE', notices, group) or '0'),
                          tonumber(redis.call('ZSCORE', notice_gone, group) or '0'))
    if from == uid or last >= time or notice_is_hushed(from) or (root and redis.call('ZSCORE', notice_quiet, root)) then
        return
    end
    while redis.call('ZCOUNT', notices, time, time) > 0 do
        time = time + 1
    end
    redis.call('ZADD', notices, string.format('%.0f', time), group)
    redis.call('ZREMRANGEBYRANK', notices, 0, -1001)
    notice_changed()
end

-- Nothing of the group is left.
local function notice_end(group)
    if redis.call('ZREM', notices, group) == 1 then
        notice_changed()
    end
end
