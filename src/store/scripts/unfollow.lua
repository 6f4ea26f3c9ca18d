#!lua flags=allow-oom
-- Ends following, on the reader's own side, like follow.lua. It is a script of its own because it may run when memory is
-- full: its job takes little more than what is freed, and only while it lasts.
--include follow
