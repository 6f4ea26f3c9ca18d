#!lua flags=no-writes
-- The part of a home around a cursor: a page deep down costs little more than the first one. The whole list when the
-- cursor is not in it.
--: key     home    HOME uid
--: arg     uid     id
--: arg     cursor  id
--: arg     before  number  -- ids wanted in front of it
--: arg     behind  number
--: arg     size    number  -- of a home
--: returns from:number ends:flag ids:any
local call = redis.call
size = tonumber(size)
local from, to = 0, size - 1
-- searched from the nearer end: the engine walks the list, and older ids stand further down
local first, last = call('LINDEX', home, 0), call('LINDEX', home, -1)
local at
if first and tonumber(cursor) < (tonumber(first) + tonumber(last)) / 2 then
    at = call('LPOS', home, cursor, 'RANK', -1)
else
    at = call('LPOS', home, cursor, 'MAXLEN', size)
end
if at and at < size then
    from = math.max(0, at - tonumber(before))
    to = math.min(size - 1, at + tonumber(behind))
end
local ids = call('LRANGE', home, from, to)
local ends = to == size - 1 or #ids < to - from + 1
return {from, ends and 1 or 0, ids}
