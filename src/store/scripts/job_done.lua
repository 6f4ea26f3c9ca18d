#!lua flags=allow-oom
--include job
-- Ends a job.
-- KEYS  jobs, job
-- ARGV  job id, nonce
-- reply {"ok"}
job_end(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
return {'ok'}
