#!lua flags=no-writes
-- A post with its author (both lie in one bucket), so that a page needs one round trip for both. Answers nothing if there is none.
--: key     record   POST id
--: key     replies  REPLIES id
--: key     likes    FAVOURITES id
--: key     boosts   BOOSTS id
--: arg     id       id
--: arg     prefix   prefix
--include numbers
--: returns post:POST user:USER replies:number favourites:number boosts:number of_author:any
local call = redis.call
local author = call('HGET', record, POST_AUTHOR)
if not author then
    return {}
end
return {call('HMGET', record, POST_SHOWN), call('HMGET', prefix .. KEY_USER .. author, USER_SHOWN), call('ZCARD', replies), call('ZCARD', likes), call('ZCARD', boosts), numbers_of(author)}
