-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "context" JSONB;
