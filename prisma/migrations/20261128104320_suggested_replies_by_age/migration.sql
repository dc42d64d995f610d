-- CreateIndex
CREATE INDEX "suggested_replies_created_at_idx" ON "suggested_replies"("created_at");
