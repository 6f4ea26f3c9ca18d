#!lua flags=allow-oom
-- Ends a job.
--include job_end
--: reply OK
job_end()
return {OK}
