-- AlterTable
ALTER TABLE "contact_erasures" ADD COLUMN     "events_read_to" BIGINT,
ADD COLUMN     "updates_read_to" UUID;
