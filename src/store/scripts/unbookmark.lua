#!lua flags=allow-oom
-- Takes a bookmark away: a script of its own because it may run when memory is full.
--include bookmark
