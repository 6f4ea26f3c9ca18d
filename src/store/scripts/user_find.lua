#!lua flags=no-writes
-- A user by name, with one page of what belongs to him: all lies in one bucket. Answers nothing if there is none.
-- page: ids (posts, originals), or ids and times in turn, or the hash of the password. pins: of posts and originals, those that he
-- pinned, the newest first. originals: his posts but for answers to others; of them no more are looked at than `most`, and rest says
-- behind which id it goes on then (0: there was no need to give up).
-- The bounds of following and followers are as BYSCORE wants them.
--: key     name       NAME folded
--: arg     folded     text
--: arg     what       none|password|posts|originals|following|followers
--include own_posts
--: returns uid:id user:USER posts:number following:number followers:number page:any pins:any rest:id
local call = redis.call
local uid = call('GET', name)
if not uid then
    return {}
end
local user, posts = prefix .. KEY_USER .. uid, prefix .. KEY_POSTS .. uid
local following, followers = prefix .. KEY_FOLLOWING .. uid, prefix .. KEY_FOLLOWERS .. uid
local is_posts = what == 'posts' or what == 'originals'

-- whom he follows, or his followers, with their times
local function people()
    local words = {'ZRANGE', what == 'following' and following or followers, from, to, 'BYSCORE'}
    if backwards == '1' then
        words[#words + 1] = 'REV'
    end
    words[#words + 1] = 'LIMIT'
    words[#words + 1] = 0
    words[#words + 1] = limit
    words[#words + 1] = 'WITHSCORES'
    return call(unpack(words))
end

local page, pins, rest = {}, {}, '0'
if what == 'password' then
    page = {call('HGET', user, USER_PASSWORD)}
elseif what == 'originals' then
    page, rest = own_posts(posts, uid, true, false, '')
elseif what == 'posts' then
    page = own_ids(posts, from, limit)
elseif what ~= 'none' then
    page = people()
end
if is_posts then
    pins = call('ZRANGE', prefix .. KEY_PINS .. uid, 0, -1, 'REV')
end
return {uid, call('HMGET', user, USER_SHOWN), call('ZCARD', posts), call('ZCARD', following), call('ZCARD', followers), page, pins, rest}
