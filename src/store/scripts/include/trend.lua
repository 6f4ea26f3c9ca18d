-- Who used which tag lately. All of it lies in one bucket.
--: key   trends  TRENDS period
--: arg   period  text
--: arg   prefix  prefix
--: arg   since   number  -- ms: what is older counts no more
local function trend_people(tag)
    return prefix .. KEY_TRENDPEOPLE .. period .. '|' .. tag
end
