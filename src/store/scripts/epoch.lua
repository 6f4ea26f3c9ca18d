#!lua
-- The epoch of the home timelines: homes of another epoch are built again. A new one begins when a server starts in another
-- mode than before (begin), when a server asks for it (move), and when new ids are found that lie ahead of the engine's
-- clock. Also the key that signs forms: all servers take that of the first one.
--: key     site        SITE global
--: key     events      EVENTS global
--: key     changes     CHANGES global   -- for servers of 0.2.0
--: arg     own_mode    text             -- of this server
--: arg     own_key     text
--: arg     what        begin|look|move
--: arg     known       number           -- epoch known to the caller
--: arg     seen_ahead  number           -- time (ms) up to which there are ids ahead of the clock; 0: none
--: arg     kept        number           -- length of these streams
--: arg     nonce       id               -- random
--: arg     served      flag             -- the caller served the site's mode until now
--: returns epoch:number key:text mode:text ahead:number moved:flag
-- ahead: time up to which there are ids ahead of the clock; moved: a new epoch began
local found = redis.call('HMGET', site, SITE_MODE, SITE_KEY, SITE_EPOCH, SITE_AHEAD, SITE_BEGUN)
local mode, key, epoch, ahead = found[1], found[2] or own_key, tonumber(found[3] or '0'), tonumber(found[4] or '0')
-- of the engine; a user of it may not be allowed to ask
local life = string.match(tostring(redis.pcall('INFO')), 'run_id:(%x+)') or ''
known, seen_ahead = tonumber(known), tonumber(seen_ahead)
-- the epoch is smaller than the caller's: these data are older than those that he has seen (a restored backup). An epoch
-- is never used twice, and the mode in these data does not count, unless a server has begun since the engine got them
local moves = what == 'move' or not mode or (what == 'begin' and mode ~= own_mode) or epoch < known or seen_ahead > ahead
if not mode or what == 'begin' or (epoch < known and served == '1' and (life == '' or found[5] ~= life)) then
    mode = own_mode
end
if what == 'begin' and life ~= '' and found[5] ~= life then
    redis.call('HSET', site, SITE_BEGUN, life)
end
if moves then
    epoch = math.max(epoch, known) + 1
    ahead = math.max(ahead, seen_ahead)
    local number = string.format('%.0f', epoch)
    redis.call('HSET', site, SITE_MODE, mode, SITE_EPOCH, number, SITE_AHEAD, string.format('%.0f', ahead))
    for _, stream in ipairs({events, changes}) do
        redis.call('XADD', stream, 'MAXLEN', '~', kept, '0-*', 'k', 'e', 'i', number, 'm', mode, 'n', nonce)
    end
end
if not found[2] then
    redis.call('HSET', site, SITE_KEY, key)
end
return {epoch, key, mode, ahead, moves and 1 or 0}
