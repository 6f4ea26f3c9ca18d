#!lua flags=no-writes
-- How tags were used, day by day. days: of each tag, of this day and each one before, how often and by how many people.
--: arg   bucket  bucket  -- of the period
--: arg   period  text
--: arg   prefix  prefix
--: arg   today   number  -- day since 1970
--: arg   count   number  -- of days
--: texts tags
--: returns days:any
local fields, days = {}, {}
for i = 1, tonumber(count) do
    fields[i] = string.format('%d', today - i + 1)
end
for i = tags, #ARGV do
    local found = redis.call('HMGET', prefix .. KEY_TAGDAYS .. period .. '|' .. ARGV[i], unpack(fields))
    for k = 1, #fields do
        local uses, people = string.match(found[k] or '0/0', '(%d+)/(%d+)')
        days[#days + 1] = tonumber(uses)
        days[#days + 1] = tonumber(people)
    end
end
return {days}
