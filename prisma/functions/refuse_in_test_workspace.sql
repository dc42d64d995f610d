CREATE OR REPLACE FUNCTION public.refuse_in_test_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from workspaces where id = new.workspace_id and test_of_id is not null) then
    raise exception 'a test workspace has no %', tg_table_name using errcode = 'check_violation';
  end if;
  return new;
end $function$
;

CREATE TRIGGER channel_accounts_not_in_test BEFORE INSERT OR UPDATE OF workspace_id ON channel_accounts FOR EACH ROW EXECUTE FUNCTION refuse_in_test_workspace();
CREATE TRIGGER email_domains_not_in_test BEFORE INSERT OR UPDATE OF workspace_id ON email_domains FOR EACH ROW EXECUTE FUNCTION refuse_in_test_workspace();
