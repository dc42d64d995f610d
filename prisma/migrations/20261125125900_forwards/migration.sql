-- AlterEnum
ALTER TYPE "message_direction" ADD VALUE 'forward';

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "forwarded_id" UUID;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_forwarded_id_fkey" FOREIGN KEY ("forwarded_id") REFERENCES "messages"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- For the foreign key: almost no message is a forward.
create index "messages_forwarded_id_idx" on "messages" ("forwarded_id") where "forwarded_id" is not null;
