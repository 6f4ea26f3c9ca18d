#!lua flags=allow-oom
-- Takes notices away whose cause is gone.
--include notice
--: arg   uid     id
--: texts groups
--: reply OK
for i = groups, #ARGV do
    notice_end(ARGV[i])
end
return {OK}
