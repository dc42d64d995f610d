-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "template" JSONB;
