CREATE OR REPLACE FUNCTION public.lock_history(parent text, adds boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  referenced text := case parent when 'deliveries' then 'hooks' when 'events' then 'workspaces' end;
begin
  perform set_config('lock_timeout', '250', true);
  if referenced is not null then
    execute format('lock table only %I in %s mode', referenced,
      case when adds then 'share row exclusive' else 'access exclusive' end);
  end if;
  execute format('lock table only %I in %s mode', parent,
    case when adds then 'share update exclusive' else 'access exclusive' end);
  execute format('lock table only %I in access exclusive mode', parent || '_default');
end
$function$
;
