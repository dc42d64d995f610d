-- AlterTable
ALTER TABLE "users" ADD COLUMN     "limited_in" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "only_assigned" BOOLEAN NOT NULL DEFAULT false;
