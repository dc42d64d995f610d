-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "ratings_declined_at" TIMESTAMPTZ;

-- AlterTable
ALTER TABLE "email_domains" ADD COLUMN     "dkim_checked_at" TIMESTAMPTZ,
ADD COLUMN     "dkim_private_key" BYTEA,
ADD COLUMN     "dkim_public_key" TEXT,
ADD COLUMN     "dkim_selector" TEXT;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "deferrals" SMALLINT NOT NULL DEFAULT 0;

alter table "messages" add constraint "messages_deferrals_counted" check ("deferrals" >= 0);
-- A key is there as a whole or not at all, and its record can only have been found when there is one.
alter table "email_domains" add constraint "email_domains_dkim_whole" check (
  num_nulls("dkim_selector", "dkim_private_key", "dkim_public_key") in (0, 3)
  and ("dkim_selector" is not null or "dkim_checked_at" is null)
);
