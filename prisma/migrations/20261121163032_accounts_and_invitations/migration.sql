-- AlterTable
ALTER TABLE "users" ADD COLUMN     "deleted_at" TIMESTAMPTZ;

-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "deleted_at" TIMESTAMPTZ;

-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "mailed_at" TIMESTAMPTZ,
ADD COLUMN     "name" TEXT,
ALTER COLUMN "token_hash" DROP NOT NULL;

-- What the schema cannot say.
alter table "invitations" add constraint "invitations_mailed_has_token" check ("mailed_at" is null or "token_hash" is not null);
-- The e-mail address of a deleted account is free again.
alter table "users" add constraint "users_deleted_has_no_address" check ("deleted_at" is null or "email" = "id"::text || '@deleted.invalid');
