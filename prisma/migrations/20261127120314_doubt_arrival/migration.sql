-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "arrival_doubtful" BOOLEAN NOT NULL DEFAULT false;
