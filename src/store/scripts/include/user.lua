-- Whether the user exists and was not deleted.
local function user_lives(user)
    local found = redis.call('HMGET', user, USER_NAME, USER_DELETED)
    return found[1] ~= false and found[2] ~= '1'
end
