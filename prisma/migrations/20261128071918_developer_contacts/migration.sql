-- AlterEnum
ALTER TYPE "actor_kind" ADD VALUE 'program';

-- The list of contacts in the developer API: oldest change first, all or those of a company.
CREATE INDEX "contacts_by_change" ON "contacts" ("workspace_id", "updated_at", "id") WHERE NOT "is_test";
CREATE INDEX "contacts_of_company_by_change" ON "contacts" ("workspace_id", "company_id", "updated_at", "id")
  WHERE NOT "is_test" AND "company_id" IS NOT NULL;
