CREATE OR REPLACE FUNCTION public.release_saved_reply_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from stored_files where id in (select id from unlinked) order by id for no key update;
  update stored_files set owners = owners - 1, expires_at = case when owners = 1 then greatest(now(), kept_until) end
  where id in (select id from unlinked);
  return null;
end $function$
;

CREATE TRIGGER saved_reply_files_unlink AFTER DELETE ON saved_reply_files REFERENCING OLD TABLE AS unlinked FOR EACH STATEMENT EXECUTE FUNCTION release_saved_reply_files();
