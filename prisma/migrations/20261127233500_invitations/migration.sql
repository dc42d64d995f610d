-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "invitation" JSONB;
