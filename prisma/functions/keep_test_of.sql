CREATE OR REPLACE FUNCTION public.keep_test_of()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'test_of_id of a workspace never changes' using errcode = 'check_violation';
end $function$
;

CREATE TRIGGER workspaces_keep_test_of BEFORE UPDATE OF test_of_id ON workspaces FOR EACH ROW WHEN (new.test_of_id IS DISTINCT FROM old.test_of_id) EXECUTE FUNCTION keep_test_of();
