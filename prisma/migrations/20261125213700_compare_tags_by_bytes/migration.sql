-- In some collations, other tags sort between those that start with a text. Bytes keep them together, so that the index
-- finds them.

alter table "conversation_tags" alter column "key" type text collate "C";
