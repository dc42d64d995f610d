CREATE OR REPLACE FUNCTION public.delete_report_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from "report_changes" where "workspace_id" = old."id";
  return null;
end $function$
;

CREATE TRIGGER workspaces_reported_delete AFTER DELETE ON workspaces FOR EACH ROW EXECUTE FUNCTION delete_report_changes();
