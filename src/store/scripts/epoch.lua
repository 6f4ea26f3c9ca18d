#!lua
-- The epoch of the home timelines: homes of another epoch are built again. A new one begins when the site is served in another
-- mode than before ('begin'), when a server asks for it ('move'), and when ids are found that lie ahead of the engine's clock
-- and were not known before. And the key that signs forms: that of the first server, for all of them.
-- KEYS  site, events, changes (for servers of 0.2.0)
-- ARGV  mode, key of this server, 'begin' | 'look' | 'move', epoch known to the caller, time (ms) up to which there are ids
--       ahead of the clock ('0': none), length of these streams, a random number,
--       '1' if the caller served the site's mode until now
-- reply {epoch, key, mode of the site, time up to which there are ids ahead of the clock, 1 if a new epoch began}
local site = redis.call('HMGET', KEYS[1], 'mode', 'key', 'epoch', 'ahead')
local mode, key, epoch, ahead = site[1], site[2] or ARGV[2], tonumber(site[3] or '0'), tonumber(site[4] or '0')
local known = tonumber(ARGV[4])
-- smaller than the caller's: these are older data than those that he has seen (a restored backup); an epoch is never used
-- twice, and the mode that they were served in is nobody's any more
local moves = ARGV[3] == 'move' or not mode or (ARGV[3] == 'begin' and mode ~= ARGV[1]) or epoch < known
    or tonumber(ARGV[5]) > ahead
if not mode or ARGV[3] == 'begin' or (epoch < known and ARGV[8] == '1') then
    mode = ARGV[1]
end
if moves then
    epoch = math.max(epoch, known) + 1
    ahead = math.max(ahead, tonumber(ARGV[5]))
    redis.call('HSET', KEYS[1], 'mode', mode, 'epoch', string.format('%.0f', epoch), 'ahead', string.format('%.0f', ahead))
    for i = 2, 3 do
        redis.call('XADD', KEYS[i], 'MAXLEN', '~', ARGV[6], '0-*', 'k', 'e', 'i', string.format('%.0f', epoch), 'm', mode,
            'n', ARGV[7])
    end
end
if not site[2] then
    redis.call('HSET', KEYS[1], 'key', key)
end
return {epoch, key, mode, ahead, moves and 1 or 0}
