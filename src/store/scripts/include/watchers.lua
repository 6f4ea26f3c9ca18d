--: key watchers  WATCHERS uid

local watchers_most = 500 -- social/people/tie.h

-- Somebody is told of the user's posts no more. He stays among those who were, for posts that are taken back.
local function watcher_ends(who)
    local since = tonumber(redis.call('ZSCORE', watchers, who) or '0')
    if since > 0 then
        redis.call('ZADD', watchers, string.format('%.0f', -since), who)
        local over = redis.call('ZCOUNT', watchers, '-inf', '(0') - watchers_most
        for _, oldest in ipairs(over > 0 and redis.call('ZRANGE', watchers, '(0', '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, over) or {}) do
            redis.call('ZREM', watchers, oldest)
        end
    end
end
