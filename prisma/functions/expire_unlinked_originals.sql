CREATE OR REPLACE FUNCTION public.expire_unlinked_originals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update stored_files set expires_at = now()
  where id in (select original_file_id from unlinked where original_file_id is not null);
  return null;
end $function$
;

CREATE TRIGGER messages_unlink_original AFTER DELETE ON messages REFERENCING OLD TABLE AS unlinked FOR EACH STATEMENT EXECUTE FUNCTION expire_unlinked_originals();
