#!lua flags=no-writes
-- A user by name, with one page of what belongs to him: all lies in one bucket. Answers nothing if there is none.
-- page: ids, and pins: of those that he pinned, the newest first; or ids and times in turn; or the hash of the password.
--: key     name       NAME folded
--: arg     folded     text
--: arg     prefix     prefix
--: arg     what       none|password|posts|following|followers
--: arg     from       text    -- posts: bounds as BYLEX wants them; following, followers: as BYSCORE does
--: arg     to         text
--: arg     backwards  flag
--: arg     limit      number
--: returns uid:id user:USER posts:number following:number followers:number page:any pins:any
local call = redis.call
local uid = call('GET', name)
if not uid then
    return {}
end
local user, posts = prefix .. KEY_USER .. uid, prefix .. KEY_POSTS .. uid
local following, followers = prefix .. KEY_FOLLOWING .. uid, prefix .. KEY_FOLLOWERS .. uid
local page, pins = {}, {}
if what == 'password' then
    page = {call('HGET', user, USER_PASSWORD)}
elseif what ~= 'none' then
    local list = what == 'posts' and posts or what == 'following' and following or followers
    local range = {'ZRANGE', list, from, to, what == 'posts' and 'BYLEX' or 'BYSCORE'}
    if backwards == '1' then
        range[#range + 1] = 'REV'
    end
    range[#range + 1] = 'LIMIT'
    range[#range + 1] = 0
    range[#range + 1] = limit
    if what ~= 'posts' then
        range[#range + 1] = 'WITHSCORES'
    end
    page = call(unpack(range))
    if what == 'posts' then
        pins = call('ZRANGE', prefix .. KEY_PINS .. uid, 0, -1, 'REV')
    end
end
return {uid, call('HMGET', user, USER_SHOWN), call('ZCARD', posts), call('ZCARD', following), call('ZCARD', followers), page, pins}
