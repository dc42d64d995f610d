-- Teammates who saved their preferences get the new kind as the defaults have it.
update "notification_preferences" set
  "bell" = "bell" || '{command_failed}'::text[],
  "desktop" = "desktop" || '{command_failed}'::text[],
  "email" = "email" || '{command_failed}'::text[]
where 'command_failed' <> all ("bell" || "desktop" || "email");
