-- AlterTable
ALTER TABLE "retention_rules" ADD COLUMN     "ran_at" TIMESTAMPTZ;
