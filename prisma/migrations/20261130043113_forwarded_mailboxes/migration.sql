-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "is_forwarded" BOOLEAN NOT NULL DEFAULT false;
