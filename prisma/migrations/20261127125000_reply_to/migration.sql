-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "reply_to" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "uses_reply_to" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "reply_to" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "pending_replies" ADD COLUMN     "mail_to" TEXT[] DEFAULT ARRAY[]::TEXT[];
