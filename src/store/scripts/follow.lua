#!lua
--include job
-- One side of following up to 1000 people: the reader's own. The other side lies in other buckets and is the work of the job
-- written here. The home is emptied: the next visit rebuilds it from the truth.
-- KEYS  user, following, home, homestate, jobs, job
-- ARGV  uid, 'on', now (us), most followed, job id, lease end (ms), nonce, target, …
-- reply {"ok", changed target, …} | {"full"} | {"gone"} | {"stale"}: another process has a job of this id
--include follow
