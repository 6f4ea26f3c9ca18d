#!lua flags=no-writes
-- The part of a list around a cursor: a page deep down costs little more than the first one.
-- KEYS  home
-- ARGV  cursor id, ids wanted in front of it, ids wanted behind it, size
-- reply {index of the first id, 1 if the list ends here, {id, …}}; the whole list when the cursor is not in it
local call, key, cursor = redis.call, KEYS[1], ARGV[1]
local size = tonumber(ARGV[4])
local from, to = 0, size - 1
-- looked for from the nearer end: the list is walked, and what is older stands further down
local first, last = call('LINDEX', key, 0), call('LINDEX', key, -1)
local at
if first and tonumber(cursor) < (tonumber(first) + tonumber(last)) / 2 then
    at = call('LPOS', key, cursor, 'RANK', -1)
else
    at = call('LPOS', key, cursor, 'MAXLEN', size)
end
if at and at < size then
    from = math.max(0, at - tonumber(ARGV[2]))
    to = math.min(size - 1, at + tonumber(ARGV[3]))
end
local ids = call('LRANGE', key, from, to)
local ends = to == size - 1 or #ids < to - from + 1
return {from, ends and 1 or 0, ids}
