#!lua
-- One side of following up to 1000 people: the reader's own. The other side lies in other buckets and is the work of the job
-- written here. The home is emptied: the next visit rebuilds it from the truth.
--include follow
