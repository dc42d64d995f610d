CREATE OR REPLACE FUNCTION public.drop_stale_formatting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."formatted" := null;
  return new;
end $function$
;

CREATE TRIGGER messages_formatting BEFORE UPDATE OF content ON messages FOR EACH ROW WHEN (old.formatted IS NOT NULL AND new.content <> old.content AND new.formatted::text = old.formatted::text) EXECUTE FUNCTION drop_stale_formatting();
CREATE TRIGGER notes_formatting BEFORE UPDATE OF content ON notes FOR EACH ROW WHEN (old.formatted IS NOT NULL AND new.content <> old.content AND new.formatted::text = old.formatted::text) EXECUTE FUNCTION drop_stale_formatting();
CREATE TRIGGER reply_drafts_formatting BEFORE UPDATE OF content ON reply_drafts FOR EACH ROW WHEN (old.formatted IS NOT NULL AND new.content <> old.content AND new.formatted::text = old.formatted::text) EXECUTE FUNCTION drop_stale_formatting();
