#!lua flags=allow-oom
-- Follows a tag no more: a script of its own because it may run when memory is full.
--include tag_follow
