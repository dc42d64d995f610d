-- CreateTable
CREATE TABLE "address_changes" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "old_email" TEXT NOT NULL,
    "new_email" TEXT NOT NULL,
    "confirm_hash" BYTEA,
    "refuse_hash" BYTEA,
    "mailed_at" TIMESTAMPTZ,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "confirmed_at" TIMESTAMPTZ,
    "ended_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "address_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "address_changes_confirm_hash_key" ON "address_changes"("confirm_hash");

-- CreateIndex
CREATE UNIQUE INDEX "address_changes_refuse_hash_key" ON "address_changes"("refuse_hash");

-- CreateIndex
CREATE INDEX "address_changes_user_id_idx" ON "address_changes"("user_id");

-- CreateIndex
CREATE INDEX "address_changes_created_at_idx" ON "address_changes"("created_at");

-- AddForeignKey
ALTER TABLE "address_changes" ADD CONSTRAINT "address_changes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
