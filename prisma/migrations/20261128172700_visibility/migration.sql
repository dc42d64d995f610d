-- AlterTable
ALTER TABLE "members" ADD COLUMN     "only_assigned" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "limited_sources" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mailbox_id" UUID,
    "channel_account_id" UUID,

    CONSTRAINT "limited_sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "limited_source_teams" (
    "workspace_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,

    CONSTRAINT "limited_source_teams_pkey" PRIMARY KEY ("source_id","team_id")
);

-- CreateIndex
CREATE INDEX "limited_sources_workspace_id_mailbox_id_idx" ON "limited_sources"("workspace_id", "mailbox_id");

-- CreateIndex
CREATE INDEX "limited_sources_workspace_id_channel_account_id_idx" ON "limited_sources"("workspace_id", "channel_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "limited_sources_workspace_id_id_key" ON "limited_sources"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "limited_source_teams_workspace_id_source_id_idx" ON "limited_source_teams"("workspace_id", "source_id");

-- CreateIndex
CREATE INDEX "limited_source_teams_workspace_id_team_id_idx" ON "limited_source_teams"("workspace_id", "team_id");

-- AddForeignKey
ALTER TABLE "limited_sources" ADD CONSTRAINT "limited_sources_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "limited_sources" ADD CONSTRAINT "limited_sources_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "limited_sources" ADD CONSTRAINT "limited_sources_workspace_id_channel_account_id_fkey" FOREIGN KEY ("workspace_id", "channel_account_id") REFERENCES "channel_accounts"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "limited_source_teams" ADD CONSTRAINT "limited_source_teams_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "limited_sources"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "limited_source_teams" ADD CONSTRAINT "limited_source_teams_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "teams"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A source is limited once. The web chat has neither a mailbox nor an account.
create unique index limited_sources_source on limited_sources (workspace_id, mailbox_id, channel_account_id) nulls not distinct;

alter table limited_sources add constraint limited_sources_one_source check (mailbox_id is null or channel_account_id is null);
