-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "is_single_sign_on" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "single_sign_ons" (
    "workspace_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" BYTEA NOT NULL,
    "version" UUID NOT NULL,
    "tested_at" TIMESTAMPTZ,
    "required_at" TIMESTAMPTZ,
    "join_role" "role",
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "single_sign_ons_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "sign_on_domains" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "verification_token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_on_domains_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_on_identities" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_on_identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_sign_ons" (
    "session_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "has_mfa" BOOLEAN NOT NULL,
    "signed_on_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_sign_ons_pkey" PRIMARY KEY ("session_id","workspace_id")
);

-- CreateIndex
CREATE INDEX "sign_on_domains_domain_idx" ON "sign_on_domains"("domain");

-- CreateIndex
CREATE UNIQUE INDEX "sign_on_domains_workspace_id_domain_key" ON "sign_on_domains"("workspace_id", "domain");

-- CreateIndex
CREATE INDEX "sign_on_identities_user_id_idx" ON "sign_on_identities"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sign_on_identities_workspace_id_issuer_subject_key" ON "sign_on_identities"("workspace_id", "issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "sign_on_identities_workspace_id_user_id_key" ON "sign_on_identities"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "session_sign_ons_workspace_id_idx" ON "session_sign_ons"("workspace_id");

-- AddForeignKey
ALTER TABLE "single_sign_ons" ADD CONSTRAINT "single_sign_ons_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_on_domains" ADD CONSTRAINT "sign_on_domains_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_on_identities" ADD CONSTRAINT "sign_on_identities_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_on_identities" ADD CONSTRAINT "sign_on_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_sign_ons" ADD CONSTRAINT "session_sign_ons_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_sign_ons" ADD CONSTRAINT "session_sign_ons_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever joins by signing in never manages the workspace.
alter table single_sign_ons add constraint single_sign_ons_join_role check (join_role in ('agent', 'viewer'));

-- The statement that finds the session compares it with the domain of a stored address.
alter table sign_on_domains add constraint sign_on_domains_lowercase check (domain = lower(domain));
