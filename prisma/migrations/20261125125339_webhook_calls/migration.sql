-- AlterTable
ALTER TABLE "channel_accounts" ADD COLUMN     "webhook_called_at" TIMESTAMPTZ;

update "channel_accounts" set "webhook_called_at" = "last_received_at" where "last_received_at" is not null;
