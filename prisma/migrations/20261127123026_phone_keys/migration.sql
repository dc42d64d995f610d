-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "country" CHAR(2),
ADD COLUMN     "phone_keys_country" CHAR(2);

-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "phone_key" TEXT;

-- Contacts with the same phone number.
create index "contacts_phone_key" on "contacts" ("workspace_id", "phone_key") where "phone_key" <> '';
-- Contacts whose key is still to be computed. Existing ones come first.
create index "contacts_without_phone_key" on "contacts" ("id") where "phone" is not null and "phone_key" is null;
