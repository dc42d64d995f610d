-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "undelivered_to" TEXT[] DEFAULT ARRAY[]::TEXT[];
