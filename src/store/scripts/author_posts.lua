#!lua flags=no-writes
-- An author's posts within bounds: ids, and for the first few also the fields that a page shows. A reader who follows a
-- thousand people makes a thousand of these calls, nearly all of which find nothing.
-- Answers the ids alone when there are no bodies. bodies: {post, {number of replies, of favourites, of boosts}, …}
--: key     posts      POSTS uid
--: arg     uid        id
--: arg     prefix     prefix
--: arg     from       text    -- bounds as BYLEX wants them
--: arg     to         text
--: arg     backwards  flag    -- newest first
--: arg     most       number
--: arg     most_bodies number
--: arg     known      id      -- newest first: bodies of newer ones only; 0: of all
--include numbers
--: returns ids:any user:USER bodies:any of_author:any
local call = redis.call
local ids
if backwards == '1' then
    ids = call('ZRANGE', posts, from, to, 'BYLEX', 'REV', 'LIMIT', 0, most)
else
    ids = call('ZRANGE', posts, from, to, 'BYLEX', 'LIMIT', 0, most)
end
local count = math.min(#ids, tonumber(most_bodies))
if backwards == '1' then
    while count > 0 and ids[count] <= known do -- the caller has these
        count = count - 1
    end
end
if count == 0 then
    return {ids}
end
local bodies = {}
for i = 1, count do
    bodies[2 * i - 1] = call('HMGET', prefix .. KEY_POST .. ids[i], POST_SHOWN)
    bodies[2 * i] = {call('ZCARD', prefix .. KEY_REPLIES .. ids[i]), call('ZCARD', prefix .. KEY_FAVOURITES .. ids[i]),
                     call('ZCARD', prefix .. KEY_BOOSTS .. ids[i])}
end
return {ids, call('HMGET', prefix .. KEY_USER .. uid, USER_SHOWN), bodies, numbers_of(uid)}
