CREATE OR REPLACE FUNCTION public.delete_deliveries_of_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from deliveries d using gone where d.event_id = gone.id;
  return null;
end
$function$
;

CREATE TRIGGER deliveries_go_with_their_event AFTER DELETE ON events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_deliveries_of_events();
