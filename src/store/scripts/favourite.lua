#!lua
-- One side of favouriting a post: that of whoever does. The other side lies in the bucket of the post and is the work of the job
-- written here.
--include favourite
