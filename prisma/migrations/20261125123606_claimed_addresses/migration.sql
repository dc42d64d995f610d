-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "claimed_email" TEXT;

alter table "contacts" add constraint "contacts_claimed_email" check (
  "claimed_email" = lower("claimed_email") and char_length("claimed_email") <= 255
);

create index "contacts_claimed_email_idx" on "contacts" ("workspace_id", "claimed_email") where "claimed_email" is not null;

-- A contact that was created by a claim and has only claimed conversations loses the address to the claim.
update "contacts" "p" set "claimed_email" = "email", "email" = null, "company_id" = null
where "email" is not null
  and exists (
    select from "conversations" "c"
    where "c"."workspace_id" = "p"."workspace_id" and "c"."contact_id" = "p"."id" and "c"."contact_claimed"
      and "c"."created_at" = "p"."created_at"
  )
  and not exists (
    select from "conversations" "c"
    where "c"."workspace_id" = "p"."workspace_id" and "c"."contact_id" = "p"."id" and not "c"."contact_claimed"
  );

-- Every other claimed conversation leaves the contact whose address was claimed, for a new contact.
create temporary table "split_claims" on commit drop as
select "c"."id" as "conversation_id", "c"."workspace_id", "p"."email", "c"."created_at", "c"."is_test",
  gen_random_uuid() as "contact_id"
from "conversations" "c"
join "contacts" "p" on "p"."workspace_id" = "c"."workspace_id" and "p"."id" = "c"."contact_id"
where "c"."contact_claimed" and "p"."email" is not null;

insert into "contacts" ("id", "workspace_id", "claimed_email", "is_test", "created_at", "updated_at")
select "contact_id", "workspace_id", "email", "is_test", "created_at", now() from "split_claims";

update "conversations" "c" set "contact_id" = "s"."contact_id"
from "split_claims" "s" where "s"."conversation_id" = "c"."id";

-- A visitor follows their current conversation. Without one they start again as a new contact.
update "visitors" "v" set
  "contact_id" = (select "c"."contact_id" from "conversations" "c" where "c"."id" = "v"."conversation_id"),
  "contact_claimed" = "v"."conversation_id" is not null
where "v"."contact_claimed" and exists (
  select from "contacts" "p" where "p"."id" = "v"."contact_id" and "p"."email" is not null
);
