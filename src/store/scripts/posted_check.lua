#!lua flags=no-writes
-- Whether the number of posts of a bucket is right.
--include posted_count
--: reply OK
--: reply CHANGED
return {(not stored or tonumber(stored) == posted_count()) and OK or CHANGED}
