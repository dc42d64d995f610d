-- Who became a viewer kept their conversations so far. From now on they lose them then, as one who leaves does.
insert into "timeline_entries" ("id", "workspace_id", "conversation_id", "kind", "actor_kind", "data", "created_at")
  select gen_random_uuid(), c."workspace_id", c."id", 'unassigned', 'automatic', jsonb_build_object('assigneeName', u."name"), now()
  from "conversations" c
  join "members" m on m."workspace_id" = c."workspace_id" and m."user_id" = c."assignee_id" and m."role" = 'viewer'
  join "users" u on u."id" = m."user_id"
  where c."merged_into_id" is null;
update "conversations" c set "assignee_id" = null, "assigned_at" = null, "updated_at" = now()
  from "members" m
  where m."workspace_id" = c."workspace_id" and m."user_id" = c."assignee_id" and m."role" = 'viewer';
