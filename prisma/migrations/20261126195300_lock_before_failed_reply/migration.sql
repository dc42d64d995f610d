-- Locks the conversation before reading. Otherwise the function could read, wait for a transaction that records a failed
-- reply, and then replace its value with an older one. The lock comes first in its own statement: each has a new snapshot.
create or replace function "update_failed_reply"() returns trigger language plpgsql as $$
declare
  changed_id uuid := case when tg_op = 'DELETE' then old."conversation_id" else new."conversation_id" end;
  has_failed boolean;
begin
  perform from "conversations" where "id" = changed_id for no key update;
  has_failed := "find_failed_reply"(changed_id);
  update "conversations" set "has_failed_reply" = has_failed where "id" = changed_id and "has_failed_reply" <> has_failed;
  return null;
end $$;
