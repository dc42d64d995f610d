-- Removed tokens leave space that newer ones fill, so after 90 days every block range of the BRIN index had expired tokens, and
-- each clean-up read the whole table.
drop index "access_tokens_expires_at_idx";
create index "access_tokens_expires_at_idx" on "access_tokens" ("expires_at");
