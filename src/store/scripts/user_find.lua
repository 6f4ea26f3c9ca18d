#!lua flags=no-writes
-- A user by name, with one page of what belongs to him: all lies in one bucket. Answers nothing if there is none.
-- page: ids (posts, originals), or ids and times in turn, or the hash of the password. pins: of posts and originals, those that he
-- pinned, the newest first. originals: his posts but for answers to others; of them no more are looked at than `most`, and rest says
-- behind which id it goes on then (0: there was no need to give up).
--: key     name       NAME folded
--: arg     folded     text
--: arg     prefix     prefix
--: arg     what       none|password|posts|originals|following|followers
--: arg     from       text    -- posts: bounds as BYLEX wants them; following, followers: as BYSCORE does
--: arg     to         text
--: arg     backwards  flag
--: arg     limit      number
--: arg     most       number  -- originals: how many posts are looked at
--: returns uid:id user:USER posts:number following:number followers:number page:any pins:any rest:id
local call = redis.call
local uid = call('GET', name)
if not uid then
    return {}
end
local user, posts = prefix .. KEY_USER .. uid, prefix .. KEY_POSTS .. uid
local following, followers = prefix .. KEY_FOLLOWING .. uid, prefix .. KEY_FOLLOWERS .. uid
local is_posts = what == 'posts' or what == 'originals'

local function range(count)
    local list = is_posts and posts or what == 'following' and following or followers
    local words = {'ZRANGE', list, from, to, is_posts and 'BYLEX' or 'BYSCORE'}
    if backwards == '1' then
        words[#words + 1] = 'REV'
    end
    words[#words + 1] = 'LIMIT'
    words[#words + 1] = 0
    words[#words + 1] = count
    if not is_posts then
        words[#words + 1] = 'WITHSCORES'
    end
    return call(unpack(words))
end

-- whether the post answers somebody else; what was written before 0.2 does not say whom it answers
local function is_answer(id)
    local post = call('HMGET', prefix .. KEY_POST .. id, POST_REPLY_TO, POST_REPLY_AUTHOR)
    return post[1] and post[1] ~= '0' and string.match(post[2] or '', '^%d+') ~= uid
end

local function originals()
    local found, left, wanted = {}, tonumber(most), tonumber(limit)
    while left > 0 do
        local count = math.min(left, wanted)
        local ids = range(count)
        for _, id in ipairs(ids) do
            if not is_answer(id) then
                found[#found + 1] = id
                if #found == wanted then
                    return found, '0'
                end
            end
        end
        if #ids < count then
            return found, '0'
        end
        from = '(' .. ids[count]
        left = left - count
    end
    return found, string.sub(from, 2)
end

local page, pins, rest = {}, {}, '0'
if what == 'password' then
    page = {call('HGET', user, USER_PASSWORD)}
elseif what == 'originals' then
    page, rest = originals()
elseif what ~= 'none' then
    page = range(limit)
end
if is_posts then
    pins = call('ZRANGE', prefix .. KEY_PINS .. uid, 0, -1, 'REV')
end
return {uid, call('HMGET', user, USER_SHOWN), call('ZCARD', posts), call('ZCARD', following), call('ZCARD', followers), page, pins, rest}
