--include notice
--include time
--: key requests  REQUESTS uid

-- Somebody asks the user no more to be let follow him. The number in the menu is remembered with the notices.
local function request_ends(who)
    if redis.call('ZREM', requests, who) == 1 then
        redis.call('ZREM', notices, 'q:' .. who)
        notice_changed()
    end
end
