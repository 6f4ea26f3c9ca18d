-- Whether the user may do something with another's post, as far as the two of them are concerned: see_call (social/posts/see.h) has
-- judged the rest. In the step that writes, so that it is true then and costs no round trip.
--: key   apart       APART uid
--: key   following   FOLLOWING uid
--: arg   see.author  id      -- whose post it is; 0: nobody's, or his own
--: arg   see.follows flag    -- only those who follow him may see it
--: reply HIDDEN

local function see_may()
    local letters = redis.call('HGET', apart, see_author)
    if letters and string.find(letters, '[bB]') then
        return false
    end
    return see_follows == '0' or redis.call('ZSCORE', following, see_author) ~= false
end
