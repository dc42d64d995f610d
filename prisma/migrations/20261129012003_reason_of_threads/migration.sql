-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "thread_reason" TEXT;
