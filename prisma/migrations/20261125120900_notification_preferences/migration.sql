-- CreateTable
CREATE TABLE "notification_preferences" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "bell" TEXT[],
    "desktop" TEXT[],
    "sound" TEXT[],
    "email" TEXT[],
    "quiet_from" SMALLINT,
    "quiet_until" SMALLINT,
    "time_zone" TEXT,

    CONSTRAINT "notification_preferences_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- AddForeignKey
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
