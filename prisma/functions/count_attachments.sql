CREATE OR REPLACE FUNCTION public.count_attachments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from stored_files where id in (select file_id from linked) order by id for no key update;
  update stored_files f set owners = owners + l.added, expires_at = null
  from (select file_id, count(*)::int as added from linked group by file_id) l where f.id = l.file_id;
  return null;
end $function$
;

CREATE TRIGGER attachments_count AFTER INSERT ON attachments REFERENCING NEW TABLE AS linked FOR EACH STATEMENT EXECUTE FUNCTION count_attachments();
CREATE TRIGGER note_files_count AFTER INSERT ON note_files REFERENCING NEW TABLE AS linked FOR EACH STATEMENT EXECUTE FUNCTION count_attachments();
