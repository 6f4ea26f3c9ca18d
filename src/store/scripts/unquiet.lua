#!lua flags=allow-oom
-- Mutes a conversation no more: a script of its own because it may run when memory is full.
--include quiet
