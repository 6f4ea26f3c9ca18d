-- Whose conversations of direct posts the user wants to hear.
--include notice
--: key heard_people  TALKPEOPLE uid

-- Who takes part but for him; what may stand behind that is no person (talk.lua).
local function talk_others(talk)
    return string.match(redis.call('HGET', heard_people, talk) or '', '^[%d,]*')
end

-- How many of those who take part he wants to hear nothing of, and how many there are but for him.
local function talk_hushed(talk)
    local hushed, all = 0, 0
    for who in string.gmatch(talk_others(talk), '%d+') do
        all = all + 1
        hushed = hushed + (notice_is_hushed(who) and 1 or 0)
    end
    return hushed, all
end
