CREATE OR REPLACE FUNCTION public.release_attachments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from stored_files where id in (select file_id from unlinked) order by id for no key update;
  update stored_files f set owners = owners - u.removed,
    expires_at = case when owners = u.removed then greatest(now(), kept_until) end
  from (select file_id, count(*)::int as removed from unlinked group by file_id) u where f.id = u.file_id;
  return null;
end $function$
;

CREATE TRIGGER attachments_unlink AFTER DELETE ON attachments REFERENCING OLD TABLE AS unlinked FOR EACH STATEMENT EXECUTE FUNCTION release_attachments();
CREATE TRIGGER note_files_unlink AFTER DELETE ON note_files REFERENCING OLD TABLE AS unlinked FOR EACH STATEMENT EXECUTE FUNCTION release_attachments();
