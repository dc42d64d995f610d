-- CreateIndex
CREATE INDEX "members_workspace_id_role_idx" ON "members"("workspace_id", "role");
