#!lua flags=allow-oom
--include job
-- One side of following no more, as follow.lua: a script of its own because it may run when memory is full. Its job takes little
-- more than what is freed, and only for as long as it lasts.
-- KEYS, ARGV, reply: as follow.lua's, with 'off', and never {"full"}
--include follow
