CREATE OR REPLACE FUNCTION public.delete_attempts_of_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from attempts a using gone where a.event_id = gone.event_id and a.delivery_id = gone.id;
  return null;
end
$function$
;

CREATE TRIGGER attempts_go_with_their_delivery AFTER DELETE ON deliveries REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_attempts_of_deliveries();
