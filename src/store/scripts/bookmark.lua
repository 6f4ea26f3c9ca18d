#!lua
-- Puts a post aside. Nobody but its owner learns of a bookmark, so it has no other side.
--include bookmark
