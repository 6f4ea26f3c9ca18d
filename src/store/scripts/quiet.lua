#!lua
-- Mutes a conversation for a user: he is told no more of what happens in it (include/notice.lua).
--include quiet
