#!lua flags=allow-oom
-- One side of taking a favourite back, as favourite.lua: a script of its own because it may run when memory is full. Its job takes
-- little more than what is freed, and only for as long as it lasts.
--include favourite
