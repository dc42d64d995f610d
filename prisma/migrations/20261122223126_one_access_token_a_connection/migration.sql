-- Which access token works is said by its connection, so that a refresh adds one row with one entry of a usual index.

-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "access_token_hash" BYTEA;

-- The token that works, or did when the connection ended.
update "connections" c set "access_token_hash" = t."token_hash" from "access_tokens" t
where t."connection_id" = c."id" and (t."revoked_at" is null or t."revoked_at" = c."ended_at");

-- A refresh changes no indexed column of the connection: with room on its page no index is written.
alter table "connections" set (fillfactor = 80);

-- DropForeignKey
ALTER TABLE "access_tokens" DROP CONSTRAINT "access_tokens_connection_id_fkey";

-- DropIndex
DROP INDEX "access_tokens_connection_id_idx";

-- DropIndex
DROP INDEX "access_tokens_created_at_idx";

-- With it goes the index "access_tokens_one_live".
-- AlterTable
ALTER TABLE "access_tokens" DROP COLUMN "revoked_at";

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens" USING BRIN ("expires_at");
