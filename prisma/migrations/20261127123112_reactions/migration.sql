-- CreateTable
CREATE TABLE "reactions" (
    "workspace_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "author" TEXT NOT NULL,
    "author_name" TEXT,
    "emoji" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reactions_pkey" PRIMARY KEY ("workspace_id","message_id","author","emoji")
);

-- AddForeignKey
ALTER TABLE "reactions" ADD CONSTRAINT "reactions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reactions" ADD CONSTRAINT "reactions_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
