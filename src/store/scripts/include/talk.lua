-- Conversations of direct posts, as the user `uid` has them (keys.h, talks; social/notices/talk.h). One is a number that follows from its first
-- post and from who takes part, so the scripts never have to look for it.
--: key talks        TALKS uid
--: key talk_posts   TALKPOSTS uid
--: key talk_people  TALKPEOPLE uid
--: key talk_news    TALKNEWS uid
--: key talk_state   HOMESTATE uid

-- How many he has not read: every visit reads that with the rest of the state. Who has no state was deleted.
local function talk_count()
    redis.call('HSET', talk_state, HOMESTATE_TALKS, redis.call('ZCARD', talk_news))
end

-- The time of a post in us.
local function talk_time(post)
    return math.floor(tonumber(post) / 65536) * 1000
end

-- Up to which time (us) he dismissed a conversation; nil: he did not. One that has gone on since keeps it behind its people.
local function talk_gone(talk)
    local place = tonumber(redis.call('ZSCORE', talks, talk) or '0')
    return place < 0 and -place or tonumber(string.match(redis.call('HGET', talk_people, talk) or '', ':(%d+)$'))
end

-- Takes a conversation away, as far as he has it.
local function talk_drop(talk)
    redis.call('ZREMRANGEBYSCORE', talk_posts, talk, talk)
    redis.call('HDEL', talk_people, talk)
    redis.call('ZREM', talk_news, talk)
    redis.call('ZREM', talks, talk)
end

-- Puts a conversation where its newest post belongs; without posts it is none, or what he dismissed.
local function talk_settle(talk)
    local newest = redis.call('ZRANGE', talk_posts, talk, talk, 'BYSCORE', 'REV', 'LIMIT', 0, 1)[1]
    if not newest then
        local gone = talk_gone(talk)
        talk_drop(talk)
        if gone then
            redis.call('ZADD', talks, string.format('%.0f', -gone), talk)
        end
        return
    end
    local time, is = talk_time(newest), redis.call('ZSCORE', talks, talk)
    if is and math.floor(is / 1000) == time / 1000 then
        return
    end
    while redis.call('ZCOUNT', talks, time, time) > 0 do
        time = time + 1
    end
    redis.call('ZADD', talks, string.format('%.0f', time), talk)
end

-- Takes a post out of the conversation that has it. Returns that, and whether he has not read it; nil: none has.
local function talk_leave(post)
    local talk = redis.call('ZSCORE', talk_posts, post)
    if not talk then
        return nil
    end
    local is_new = redis.call('ZSCORE', talk_news, talk)
    redis.call('ZREM', talk_posts, post)
    talk_settle(talk)
    if redis.call('EXISTS', talk_state) == 1 then
        talk_count()
    end
    return talk, is_new
end
