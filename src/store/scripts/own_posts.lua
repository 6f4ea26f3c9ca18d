#!lua flags=no-writes
-- A page of the posts of somebody whose id is known, but for answers to others, or boosts, or with a tag. pins: those that he pinned, the newest
-- first. rest: behind which id it goes on, where it gave up because `most` had been looked at; 0: it did not.
--include own_posts
--: key     posts       POSTS uid
--: key     pinned      PINS uid
--: arg     uid         id
--: arg     no_answers  flag
--: arg     no_boosts   flag
--: arg     tag         text    -- folded; empty: any. What comes then may have it: the caller looks
--: returns page:any pins:any rest:id
local page, rest
if no_answers == '1' or no_boosts == '1' or tag ~= '' then
    page, rest = own_posts(posts, uid, no_answers == '1', no_boosts == '1', tag)
else
    page, rest = own_ids(posts, from, limit), '0'
end
return {page, redis.call('ZRANGE', pinned, 0, -1, 'REV'), rest}
