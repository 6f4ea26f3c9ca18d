#!lua flags=no-writes
-- How many people have favourited or boosted a post, each counted once, and its author not.
--: key     favourites  FAVOURITES post
--: key     boosts      BOOSTS post
--: key     record      POST post
--: arg     post        id
--: returns people:number
local author = redis.call('HGET', record, POST_AUTHOR)
if not author then
    return {0}
end
local both = redis.call('ZINTERCARD', 2, favourites, boosts)
local own = redis.call('ZSCORE', favourites, author) or redis.call('ZSCORE', boosts, author)
return {redis.call('ZCARD', favourites) + redis.call('ZCARD', boosts) - both - (own and 1 or 0)}
