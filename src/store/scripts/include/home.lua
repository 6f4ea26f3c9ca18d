-- What scripts do with lists of ids that are newest first (homes, the public timeline).

-- Puts an id at its place, and only once, among the first `size`. False: it belongs behind them. The end mark 0 stands behind
-- every id.
local function home_place(list, id, size)
    redis.call('LREM', list, 0, id)
    local from = 0
    while true do
        local part = redis.call('LRANGE', list, from, from + 99)
        for _, other in ipairs(part) do
            if other < id then
                redis.call('LINSERT', list, 'BEFORE', other, id)
                return true
            end
        end
        from = from + 100
        if #part < 100 or from >= size then
            return false
        end
    end
end
