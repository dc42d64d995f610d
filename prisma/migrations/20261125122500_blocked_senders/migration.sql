-- CreateEnum
CREATE TYPE "blocked_kind" AS ENUM ('address', 'domain', 'chat');

-- CreateTable
CREATE TABLE "blocked_senders" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "kind" "blocked_kind" NOT NULL,
    "value" TEXT NOT NULL,
    "label" TEXT,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blocked_senders_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "blocked_senders_workspace_id_created_at_idx" ON "blocked_senders"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "blocked_senders_workspace_id_kind_value_key" ON "blocked_senders"("workspace_id", "kind", "value");

-- AddForeignKey
ALTER TABLE "blocked_senders" ADD CONSTRAINT "blocked_senders_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
