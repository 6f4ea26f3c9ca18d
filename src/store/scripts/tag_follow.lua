#!lua
-- Follows a tag: public posts with it stand in the user's home (social/timelines/home_tags.h).
--include tag_follow
