-- AlterTable
ALTER TABLE "blocked_senders" ADD COLUMN     "last_refused_at" TIMESTAMPTZ;
