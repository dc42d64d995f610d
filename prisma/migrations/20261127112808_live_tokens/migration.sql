-- Refreshes that overlap leave several live access tokens. Each is identified by the time of its issue.
alter table "connections" add column "live_token_times" timestamptz[];
update "connections" c set "live_token_times" = array[t."created_at"]
from "access_tokens" t where t."token_hash" = c."access_token_hash";
alter table "connections" drop column "access_token_hash";
