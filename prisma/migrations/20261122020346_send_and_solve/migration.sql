-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "solve_asked_at" TIMESTAMPTZ;

-- AlterTable
ALTER TABLE "pending_replies" ADD COLUMN     "solves" BOOLEAN NOT NULL DEFAULT false;

-- Only what the team sends solves a conversation.
alter table "messages" add constraint "messages_only_outbound_solves" check ("solve_asked_at" is null or "direction" = 'outbound');
