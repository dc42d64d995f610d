-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "agent_decision" TEXT,
ADD COLUMN     "sender_checks" JSONB;
