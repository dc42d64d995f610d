-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "plan" AS ENUM ('starter', 'growth', 'business', 'scale');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'agent', 'viewer');

-- CreateEnum
CREATE TYPE "channel" AS ENUM ('email', 'webchat', 'whatsapp', 'instagram', 'messenger', 'telegram', 'slack');

-- CreateEnum
CREATE TYPE "conversation_status" AS ENUM ('open', 'pending', 'solved', 'closed');

-- CreateEnum
CREATE TYPE "priority" AS ENUM ('low', 'normal', 'high', 'urgent');

-- CreateEnum
CREATE TYPE "message_direction" AS ENUM ('inbound', 'outbound');

-- CreateEnum
CREATE TYPE "actor_kind" AS ENUM ('teammate', 'workflow', 'contact', 'ai_agent', 'flow', 'automatic');

-- CreateEnum
CREATE TYPE "send_status" AS ENUM ('queued', 'sending', 'sent', 'failed', 'held_for_paywall');

-- CreateEnum
CREATE TYPE "sla_kind" AS ENUM ('first_response', 'resolution');

-- CreateEnum
CREATE TYPE "connection_end" AS ENUM ('disconnected', 'teammate_left', 'teammate_deleted', 'workspace_deleted', 'not_allowed', 'revoked_by_platform', 'code_reused', 'never_exchanged');

-- CreateEnum
CREATE TYPE "challenge_method" AS ENUM ('S256', 'plain');

-- CreateEnum
CREATE TYPE "hook_removal" AS ENUM ('unsubscribed', 'gone', 'failing', 'disconnected', 'teammate_left', 'not_allowed', 'revoked_by_platform');

-- CreateEnum
CREATE TYPE "delivery_outcome" AS ENUM ('delivered', 'dropped', 'exhausted', 'cancelled');

-- CreateEnum
CREATE TYPE "attempt_outcome" AS ENUM ('delivered', 'rejected', 'gone', 'throttled', 'failed', 'redirected', 'timed_out', 'unreachable');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "last_workspace_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "workspace_id" UUID,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "password" TEXT,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "scope" TEXT,
    "access_token_expires_at" TIMESTAMPTZ,
    "refresh_token_expires_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "plan" "plan" NOT NULL,
    "assign_on_reply" BOOLEAN NOT NULL DEFAULT true,
    "close_solved_after_days" INTEGER,
    "sla_first_response_minutes" INTEGER,
    "sla_resolution_minutes" INTEGER,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "teams" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "team_members" (
    "workspace_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "team_members_pkey" PRIMARY KEY ("team_id","user_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by_id" UUID,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "accepted_at" TIMESTAMPTZ,
    "withdrawn_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "companies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "companies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "company_domains" (
    "workspace_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "company_id" UUID NOT NULL,

    CONSTRAINT "company_domains_pkey" PRIMARY KEY ("workspace_id","domain")
);

-- CreateTable
CREATE TABLE "contacts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "phone_digits" TEXT,
    "city" TEXT,
    "language" TEXT,
    "company_id" UUID,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email_domains" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "verification_token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_domains_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mailboxes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "email_domain_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mailboxes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "subject" TEXT,
    "status" "conversation_status" NOT NULL DEFAULT 'open',
    "priority" "priority" NOT NULL DEFAULT 'normal',
    "channel" "channel" NOT NULL,
    "contact_id" UUID,
    "assignee_id" UUID,
    "team_id" UUID,
    "mailbox_id" UUID,
    "merged_into_id" UUID,
    "ai_agent_silenced" BOOLEAN NOT NULL DEFAULT false,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "external_thread_id" TEXT,
    "status_changed_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "assigned_at" TIMESTAMPTZ,
    "resolved_at" TIMESTAMPTZ,
    "last_message_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversation_tags" (
    "conversation_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_tags_pkey" PRIMARY KEY ("conversation_id","key")
);

-- CreateTable
CREATE TABLE "taggings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "taggings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tagging_tags" (
    "tagging_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tagging_tags_pkey" PRIMARY KEY ("tagging_id","key")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "direction" "message_direction" NOT NULL,
    "author_kind" "actor_kind" NOT NULL,
    "author_id" UUID,
    "author_name" TEXT,
    "connection_id" UUID,
    "content" TEXT NOT NULL,
    "attachments_count" INTEGER NOT NULL DEFAULT 0,
    "send_status" "send_status",
    "delivery_error" TEXT,
    "send_started_at" TIMESTAMPTZ,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "author_kind" "actor_kind" NOT NULL,
    "author_id" UUID,
    "author_name" TEXT,
    "connection_id" UUID,
    "command_run_id" UUID,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "note_mentions" (
    "note_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "note_mentions_pkey" PRIMARY KEY ("note_id","user_id")
);

-- CreateTable
CREATE TABLE "ratings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "score" SMALLINT NOT NULL,
    "comment" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ratings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "command_runs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "operator_id" UUID,
    "operator_name" TEXT NOT NULL,
    "operator_email" TEXT NOT NULL,
    "command" TEXT NOT NULL,
    "arguments" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "command_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "timeline_entries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT,
    "connection_id" UUID,
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "timeline_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sla_clocks" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "kind" "sla_kind" NOT NULL,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ NOT NULL,
    "paused_at" TIMESTAMPTZ,
    "stopped_at" TIMESTAMPTZ,
    "breached_at" TIMESTAMPTZ,

    CONSTRAINT "sla_clocks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "conversation_id" UUID,
    "data" JSONB NOT NULL DEFAULT '{}',
    "read_at" TIMESTAMPTZ,
    "emailed_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "integrations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connections" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "user_id" UUID,
    "integration_id" UUID,
    "teammate_name" TEXT NOT NULL,
    "teammate_email" TEXT NOT NULL,
    "exchanged_at" TIMESTAMPTZ,
    "last_used_at" TIMESTAMPTZ,
    "ended_at" TIMESTAMPTZ,
    "end_reason" "connection_end",
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "consent_forms" (
    "token_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "consent_forms_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "authorization_codes" (
    "code_hash" BYTEA NOT NULL,
    "connection_id" UUID NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT,
    "challenge_method" "challenge_method",
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "authorization_codes_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "token_hash" BYTEA NOT NULL,
    "connection_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "revoked_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "token_hash" BYTEA NOT NULL,
    "connection_id" UUID NOT NULL,
    "revoked_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "kind" TEXT NOT NULL,
    "user_id" UUID,
    "user_name" TEXT,
    "connection_id" UUID,
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hooks" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "target_url" TEXT NOT NULL,
    "command" TEXT,
    "status" "conversation_status",
    "tag" TEXT,
    "filter_key" TEXT,
    "consecutive_errors" INTEGER NOT NULL DEFAULT 0,
    "removed_at" TIMESTAMPTZ,
    "removal_reason" "hook_removal",
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT "hooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "filter_values" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "had_error_status" BOOLEAN NOT NULL DEFAULT false,
    "next_attempt_at" TIMESTAMPTZ,
    "ended_at" TIMESTAMPTZ,
    "outcome" "delivery_outcome",
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "delivery_id" UUID NOT NULL,
    "number" SMALLINT NOT NULL,
    "outcome" "attempt_outcome" NOT NULL,
    "status_code" SMALLINT,
    "error" TEXT,
    "response_excerpt" TEXT,
    "retry_after" TEXT,
    "started_at" TIMESTAMPTZ NOT NULL,
    "duration_ms" INTEGER NOT NULL,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateTable
CREATE TABLE "worker_leases" (
    "pool_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT "worker_leases_pkey" PRIMARY KEY ("pool_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_last_workspace_id_idx" ON "users"("last_workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_workspace_id_idx" ON "sessions"("workspace_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_id_account_id_key" ON "accounts"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");

-- CreateIndex
CREATE INDEX "verifications_expires_at_idx" ON "verifications"("expires_at");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "teams_workspace_id_id_key" ON "teams"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "team_members_workspace_id_user_id_idx" ON "team_members"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_workspace_id_created_at_idx" ON "invitations"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "invitations_invited_by_id_idx" ON "invitations"("invited_by_id");

-- CreateIndex
CREATE INDEX "companies_workspace_id_name_idx" ON "companies"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "companies_workspace_id_id_key" ON "companies"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "company_domains_workspace_id_company_id_idx" ON "company_domains"("workspace_id", "company_id");

-- CreateIndex
CREATE INDEX "contacts_workspace_id_phone_digits_created_at_idx" ON "contacts"("workspace_id", "phone_digits", "created_at" DESC);

-- CreateIndex
CREATE INDEX "contacts_workspace_id_company_id_idx" ON "contacts"("workspace_id", "company_id");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_workspace_id_id_key" ON "contacts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_workspace_id_email_key" ON "contacts"("workspace_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "email_domains_workspace_id_id_key" ON "email_domains"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "email_domains_workspace_id_domain_key" ON "email_domains"("workspace_id", "domain");

-- CreateIndex
CREATE UNIQUE INDEX "mailboxes_address_key" ON "mailboxes"("address");

-- CreateIndex
CREATE INDEX "mailboxes_workspace_id_email_domain_id_idx" ON "mailboxes"("workspace_id", "email_domain_id");

-- CreateIndex
CREATE UNIQUE INDEX "mailboxes_workspace_id_id_key" ON "mailboxes"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "conversations_workspace_id_contact_id_created_at_idx" ON "conversations"("workspace_id", "contact_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_contact_id_status_created_at_idx" ON "conversations"("workspace_id", "contact_id", "status", "created_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_status_last_message_at_idx" ON "conversations"("workspace_id", "status", "last_message_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_assignee_id_last_message_at_idx" ON "conversations"("workspace_id", "assignee_id", "last_message_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_team_id_last_message_at_idx" ON "conversations"("workspace_id", "team_id", "last_message_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_last_message_at_idx" ON "conversations"("workspace_id", "last_message_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_mailbox_id_idx" ON "conversations"("workspace_id", "mailbox_id");

-- CreateIndex
CREATE UNIQUE INDEX "conversations_workspace_id_id_key" ON "conversations"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "conversation_tags_workspace_id_key_idx" ON "conversation_tags"("workspace_id", "key");

-- CreateIndex
CREATE INDEX "taggings_workspace_id_created_at_idx" ON "taggings"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "taggings_conversation_id_created_at_idx" ON "taggings"("conversation_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "taggings_workspace_id_id_key" ON "taggings"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "tagging_tags_workspace_id_key_created_at_idx" ON "tagging_tags"("workspace_id", "key", "created_at" DESC);

-- CreateIndex
CREATE INDEX "messages_conversation_id_created_at_idx" ON "messages"("conversation_id", "created_at");

-- CreateIndex
CREATE INDEX "messages_author_id_idx" ON "messages"("author_id");

-- CreateIndex
CREATE INDEX "messages_connection_id_idx" ON "messages"("connection_id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_workspace_id_external_id_key" ON "messages"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "notes_conversation_id_created_at_idx" ON "notes"("conversation_id", "created_at");

-- CreateIndex
CREATE INDEX "notes_workspace_id_idx" ON "notes"("workspace_id");

-- CreateIndex
CREATE INDEX "notes_author_id_idx" ON "notes"("author_id");

-- CreateIndex
CREATE INDEX "notes_connection_id_idx" ON "notes"("connection_id");

-- CreateIndex
CREATE UNIQUE INDEX "notes_workspace_id_command_run_id_key" ON "notes"("workspace_id", "command_run_id");

-- CreateIndex
CREATE INDEX "note_mentions_user_id_idx" ON "note_mentions"("user_id");

-- CreateIndex
CREATE INDEX "ratings_workspace_id_created_at_idx" ON "ratings"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "ratings_conversation_id_created_at_idx" ON "ratings"("conversation_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "command_runs_workspace_id_created_at_idx" ON "command_runs"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "command_runs_workspace_id_command_created_at_idx" ON "command_runs"("workspace_id", "command", "created_at" DESC);

-- CreateIndex
CREATE INDEX "command_runs_conversation_id_created_at_idx" ON "command_runs"("conversation_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "command_runs_operator_id_idx" ON "command_runs"("operator_id");

-- CreateIndex
CREATE UNIQUE INDEX "command_runs_workspace_id_id_key" ON "command_runs"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "timeline_entries_conversation_id_created_at_idx" ON "timeline_entries"("conversation_id", "created_at");

-- CreateIndex
CREATE INDEX "timeline_entries_workspace_id_idx" ON "timeline_entries"("workspace_id");

-- CreateIndex
CREATE INDEX "sla_clocks_workspace_id_idx" ON "sla_clocks"("workspace_id");

-- CreateIndex
CREATE INDEX "sla_clocks_conversation_id_idx" ON "sla_clocks"("conversation_id");

-- CreateIndex
CREATE INDEX "notifications_user_id_workspace_id_created_at_idx" ON "notifications"("user_id", "workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "notifications_conversation_id_idx" ON "notifications"("conversation_id");

-- CreateIndex
CREATE INDEX "notifications_workspace_id_idx" ON "notifications"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "integrations_workspace_id_kind_key" ON "integrations"("workspace_id", "kind");

-- CreateIndex
CREATE INDEX "connections_workspace_id_created_at_idx" ON "connections"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "connections_user_id_idx" ON "connections"("user_id");

-- CreateIndex
CREATE INDEX "connections_integration_id_idx" ON "connections"("integration_id");

-- CreateIndex
CREATE UNIQUE INDEX "connections_workspace_id_id_key" ON "connections"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "consent_forms_user_id_idx" ON "consent_forms"("user_id");

-- CreateIndex
CREATE INDEX "consent_forms_workspace_id_idx" ON "consent_forms"("workspace_id");

-- CreateIndex
CREATE INDEX "consent_forms_expires_at_idx" ON "consent_forms"("expires_at");

-- CreateIndex
CREATE INDEX "authorization_codes_connection_id_idx" ON "authorization_codes"("connection_id");

-- CreateIndex
CREATE INDEX "access_tokens_connection_id_idx" ON "access_tokens"("connection_id");

-- CreateIndex
CREATE INDEX "access_tokens_created_at_idx" ON "access_tokens"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_tokens_connection_id_key" ON "refresh_tokens"("connection_id");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_created_at_idx" ON "audit_entries"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "hooks_workspace_id_created_at_idx" ON "hooks"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "hooks_connection_id_idx" ON "hooks"("connection_id");

-- CreateIndex
CREATE UNIQUE INDEX "hooks_workspace_id_id_key" ON "hooks"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "events_workspace_id_created_at_idx" ON "events"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_workspace_id_id_key" ON "events"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "deliveries_hook_id_created_at_idx" ON "deliveries"("hook_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "deliveries_workspace_id_created_at_idx" ON "deliveries"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_event_id_hook_id_key" ON "deliveries"("event_id", "hook_id");

-- CreateIndex
CREATE INDEX "worker_leases_expires_at_idx" ON "worker_leases"("expires_at");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_last_workspace_id_fkey" FOREIGN KEY ("last_workspace_id") REFERENCES "workspaces"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "teams" ADD CONSTRAINT "teams_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "teams"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_id_fkey" FOREIGN KEY ("invited_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "companies" ADD CONSTRAINT "companies_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "company_domains" ADD CONSTRAINT "company_domains_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "company_domains" ADD CONSTRAINT "company_domains_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "companies"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "companies"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "email_domains" ADD CONSTRAINT "email_domains_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_workspace_id_email_domain_id_fkey" FOREIGN KEY ("workspace_id", "email_domain_id") REFERENCES "email_domains"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_assignee_id_fkey" FOREIGN KEY ("workspace_id", "assignee_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "teams"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_merged_into_id_fkey" FOREIGN KEY ("workspace_id", "merged_into_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_tags" ADD CONSTRAINT "conversation_tags_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "taggings" ADD CONSTRAINT "taggings_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "taggings" ADD CONSTRAINT "taggings_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tagging_tags" ADD CONSTRAINT "tagging_tags_workspace_id_tagging_id_fkey" FOREIGN KEY ("workspace_id", "tagging_id") REFERENCES "taggings"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_workspace_id_command_run_id_fkey" FOREIGN KEY ("workspace_id", "command_run_id") REFERENCES "command_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_mentions" ADD CONSTRAINT "note_mentions_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_mentions" ADD CONSTRAINT "note_mentions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "command_runs" ADD CONSTRAINT "command_runs_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "command_runs" ADD CONSTRAINT "command_runs_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "command_runs" ADD CONSTRAINT "command_runs_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "timeline_entries" ADD CONSTRAINT "timeline_entries_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sla_clocks" ADD CONSTRAINT "sla_clocks_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sla_clocks" ADD CONSTRAINT "sla_clocks_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_integration_id_fkey" FOREIGN KEY ("integration_id") REFERENCES "integrations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hooks" ADD CONSTRAINT "hooks_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hooks" ADD CONSTRAINT "hooks_workspace_id_connection_id_fkey" FOREIGN KEY ("workspace_id", "connection_id") REFERENCES "connections"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "events"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_workspace_id_hook_id_fkey" FOREIGN KEY ("workspace_id", "hook_id") REFERENCES "hooks"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language cannot say.

-- Values as the domain knows them.
alter table "users" add constraint "users_email_lowercase" check ("email" = lower("email"));
alter table "invitations" add constraint "invitations_email_lowercase" check ("email" = lower("email"));
alter table "invitations" add constraint "invitations_ended_once" check ("accepted_at" is null or "withdrawn_at" is null);
alter table "company_domains" add constraint "company_domains_lowercase" check ("domain" = lower("domain"));
alter table "email_domains" add constraint "email_domains_lowercase" check ("domain" = lower("domain"));
alter table "mailboxes" add constraint "mailboxes_address_lowercase" check ("address" = lower("address"));
alter table "workspaces" add constraint "workspaces_close_solved_positive" check ("close_solved_after_days" > 0);
alter table "workspaces" add constraint "workspaces_sla_positive" check ("sla_first_response_minutes" > 0 and "sla_resolution_minutes" > 0);

alter table "contacts" add constraint "contacts_email_lowercase" check ("email" = lower("email"));
alter table "contacts" add constraint "contacts_phone_digits" check ("phone_digits" is not distinct from nullif(regexp_replace("phone", '[^0-9]', '', 'g'), ''));
alter table "contacts" add constraint "contacts_not_nobody" check (coalesce("first_name", "last_name", "email", "phone") is not null or "is_test");

alter table "conversations" add constraint "conversations_not_merged_into_itself" check ("merged_into_id" <> "id");
alter table "conversations" add constraint "conversations_assigned_at" check (("assignee_id" is null) = ("assigned_at" is null));
alter table "conversations" add constraint "conversations_solved_has_resolved_at" check ("status" <> 'solved' or "resolved_at" is not null);
alter table "conversation_tags" add constraint "conversation_tags_not_blank" check ("key" <> '' and "name" <> '');
alter table "conversation_tags" add constraint "conversation_tags_length" check (char_length("name") <= 40);
alter table "tagging_tags" add constraint "tagging_tags_not_blank" check ("key" <> '' and "name" <> '');
alter table "messages" add constraint "messages_inbound_by_contact" check (("direction" = 'inbound') = ("author_kind" = 'contact'));
alter table "messages" add constraint "messages_only_outbound_is_sent" check ("direction" = 'outbound' or "send_status" is null);
alter table "messages" add constraint "messages_error_only_when_failed" check ("delivery_error" is null or "send_status" = 'failed');
alter table "messages" add constraint "messages_attachments_count" check ("attachments_count" >= 0);
alter table "ratings" add constraint "ratings_score" check ("score" between 1 and 5);
alter table "command_runs" add constraint "command_runs_command" check ("command" ~ '^[a-z0-9][a-z0-9_-]{0,47}$');

alter table "connections" add constraint "connections_end_has_reason" check (("ended_at" is null) = ("end_reason" is null));
alter table "connections" add constraint "connections_active_is_whole"
  check ("ended_at" is not null or ("workspace_id" is not null and "user_id" is not null and "integration_id" is not null));
alter table "authorization_codes" add constraint "authorization_codes_challenge_has_method" check (("code_challenge" is null) = ("challenge_method" is null));

alter table "hooks" add constraint "hooks_event" check ("event" in (
  'conversation.created', 'conversation.status_changed', 'conversation.assigned', 'conversation.tagged',
  'conversation.rated', 'message.received', 'contact.created', 'operator.command'));
alter table "hooks" add constraint "hooks_target_url" check ("target_url" ilike 'https://%' and char_length("target_url") <= 500);
alter table "hooks" add constraint "hooks_removal_has_reason" check (("removed_at" is null) = ("removal_reason" is null));
alter table "hooks" add constraint "hooks_filter_fits_event" check (
  ("status" is null or "event" = 'conversation.status_changed') and
  ("tag" is null or "event" = 'conversation.tagged') and
  ("command" is null or "event" = 'operator.command') and
  (("filter_key" is null) = (coalesce("status"::text, "tag", "command") is null)) and
  ("filter_key" = coalesce("status"::text, "command") or coalesce("status"::text, "command") is null));
alter table "hooks" add constraint "hooks_command" check ("command" ~ '^[a-z0-9][a-z0-9_-]{0,47}$');
alter table "hooks" add constraint "hooks_tag_length" check (char_length("tag") between 1 and 40);
alter table "hooks" add constraint "hooks_consecutive_errors" check ("consecutive_errors" between 0 and 50);
alter table "events" add constraint "events_key" check ("key" in (
  'conversation.created', 'conversation.status_changed', 'conversation.assigned', 'conversation.tagged',
  'conversation.rated', 'message.received', 'contact.created', 'operator.command'));
alter table "deliveries" add constraint "deliveries_end_has_outcome" check (("ended_at" is null) = ("outcome" is null));
alter table "deliveries" add constraint "deliveries_awaits_or_ended" check (("ended_at" is null) = ("next_attempt_at" is not null));
alter table "deliveries" add constraint "deliveries_attempts" check ("attempts" >= 0);
alter table "attempts" add constraint "attempts_number" check ("number" >= 1);

-- One of a kind.
create unique index "teams_name_key" on "teams" ("workspace_id", lower("name"));
create unique index "mailboxes_one_default" on "mailboxes" ("workspace_id") where "is_default";
create unique index "invitations_one_open" on "invitations" ("workspace_id", "email") where "accepted_at" is null and "withdrawn_at" is null;
create unique index "sla_clocks_one_running" on "sla_clocks" ("conversation_id", "kind") where "stopped_at" is null;

-- Lists and samples: only what they may show, newest first.
create index "conversations_by_creation" on "conversations" ("workspace_id", "created_at" desc, "id" desc) where "merged_into_id" is null and not "is_test";
create index "conversations_by_status_change" on "conversations" ("workspace_id", "status_changed_at" desc, "id" desc) where "merged_into_id" is null and not "is_test";
create index "conversations_by_status" on "conversations" ("workspace_id", "status", "status_changed_at" desc, "id" desc) where "merged_into_id" is null and not "is_test";
create index "conversations_by_assignment" on "conversations" ("workspace_id", "assigned_at" desc, "id" desc) where "assigned_at" is not null and "merged_into_id" is null and not "is_test";
create index "conversations_merged" on "conversations" ("workspace_id", "merged_into_id") where "merged_into_id" is not null;
create index "messages_received" on "messages" ("workspace_id", "created_at" desc, "id" desc) where "direction" = 'inbound';
create index "messages_unsent" on "messages" ("send_started_at") where "send_status" in ('queued', 'sending');
create index "contacts_by_creation" on "contacts" ("workspace_id", "created_at" desc, "id" desc) where not "is_test";
create index "sla_clocks_due" on "sla_clocks" ("due_at") where "stopped_at" is null and "paused_at" is null and "breached_at" is null;
create index "notifications_unread" on "notifications" ("user_id", "workspace_id") where "read_at" is null;
create index "notifications_to_email" on "notifications" ("created_at") where "read_at" is null and "emailed_at" is null;

-- What is alive.
create index "connections_active" on "connections" ("workspace_id") where "ended_at" is null;
create index "connections_unexchanged" on "connections" ("created_at") where "ended_at" is null and "exchanged_at" is null;
create unique index "access_tokens_one_live" on "access_tokens" ("connection_id") where "revoked_at" is null;
create index "hooks_live" on "hooks" ("workspace_id", "event") where "removed_at" is null;
create index "deliveries_pending" on "deliveries" ("next_attempt_at") where "ended_at" is null;
create index "deliveries_ended" on "deliveries" ("ended_at") where "ended_at" is not null;

-- Where the limits are counted: lost in a crash without harm, so not logged.
-- The columns are those of rate-limiter-flexible.
create unlogged table "rate_limits" (
  "key" varchar(255) primary key,
  "points" integer not null default 0,
  "expire" bigint
);
create index "rate_limits_expire" on "rate_limits" ("expire");
