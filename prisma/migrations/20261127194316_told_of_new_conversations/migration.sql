-- AlterTable
ALTER TABLE "notification_preferences" ADD COLUMN     "muted_channels" "channel"[] DEFAULT ARRAY[]::"channel"[],
ADD COLUMN     "muted_team_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "mutes_no_team" BOOLEAN NOT NULL DEFAULT false;

-- Counts a recipient's unread notifications of this kind, of which there are at most five.
create index "notifications_new_conversations" on "notifications" ("user_id", "workspace_id")
  where "kind" = 'new_conversation' and "read_at" is null;
