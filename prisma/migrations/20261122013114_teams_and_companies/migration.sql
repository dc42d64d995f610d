-- DropIndex
DROP INDEX "companies_workspace_id_name_idx";

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "deleted_at" TIMESTAMPTZ;

-- AlterTable
ALTER TABLE "companies" ADD COLUMN     "deleted_at" TIMESTAMPTZ;

-- A team that is being deleted leaves its name to others.
drop index "teams_name_key";
create unique index "teams_name_key" on "teams" ("workspace_id", lower("name")) where "deleted_at" is null;

-- The list of companies, and the one of a name.
create index "companies_by_name" on "companies" ("workspace_id", lower("name"), "id") where "deleted_at" is null;

-- Contacts who could be linked to the company that has the domain of their address.
create index "contacts_without_company" on "contacts" ("workspace_id", split_part("email", '@', -1))
  where "company_id" is null and "email" is not null and not "is_test";
