#!lua flags=no-writes
-- The part of a list around a cursor: a page deep down costs what the first one costs.
-- KEYS  home
-- ARGV  cursor id, ids wanted in front of it, ids wanted behind it, size
-- reply {index of the first id, 1 if the list ends here, id, …}; the whole list when the cursor is not in it
local size = tonumber(ARGV[4])
local from, to = 0, size - 1
-- looked for from the nearer end: the list is walked, and what is older stands further down
local middle = redis.call('LINDEX', KEYS[1], math.floor(size / 2))
local at
if middle and ARGV[1] < middle then
    at = redis.call('LPOS', KEYS[1], ARGV[1], 'RANK', -1)
else
    at = redis.call('LPOS', KEYS[1], ARGV[1], 'MAXLEN', size)
end
if at and at < size then
    from = math.max(0, at - tonumber(ARGV[2]))
    to = math.min(size - 1, at + tonumber(ARGV[3]))
end
local r = redis.call('LRANGE', KEYS[1], from, to)
local last = to == size - 1 or #r < to - from + 1
table.insert(r, 1, last and '1' or '0')
table.insert(r, 1, tostring(from))
return r
