CREATE OR REPLACE FUNCTION public.count_saved_reply_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update stored_files set owners = owners + 1, expires_at = null where id in (select id from linked);
  return null;
end $function$
;

CREATE TRIGGER saved_reply_files_count AFTER INSERT ON saved_reply_files REFERENCING NEW TABLE AS linked FOR EACH STATEMENT EXECUTE FUNCTION count_saved_reply_files();
