--include limit_rule
--: key   limit          LIMIT limit.uid limit.name
--: arg   limit.uid      id
--: arg   limit.name     text
--: arg   limit.cost     number  -- 0: no limit applies
--: arg   limit.seconds  number
--: arg   limit.count    number
--: reply LIMITED        wait:number

-- Takes the call's cost from the limit of a user and returns 0; or takes nothing and returns how long (ms) to wait. A change
-- checks it last and writes it first.
local function limit_take()
    local cost = tonumber(limit_cost)
    if cost == 0 then
        return 0
    end
    local now = limit_now()
    local new, wait = limit_ask(limit, now, cost, limit_seconds, limit_count)
    if wait == 0 then
        limit_write(limit, now, new)
    end
    return wait
end
