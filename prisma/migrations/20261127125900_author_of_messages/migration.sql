-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "author_address" TEXT;
