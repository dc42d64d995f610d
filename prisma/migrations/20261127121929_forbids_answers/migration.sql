-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "forbids_answers" BOOLEAN NOT NULL DEFAULT false;
