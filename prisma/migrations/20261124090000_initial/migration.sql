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
CREATE TYPE "channel_account_status" AS ENUM ('connected', 'reconnect_needed');

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
    "deleted_at" TIMESTAMPTZ,
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
    "ai_agent_enabled" BOOLEAN NOT NULL DEFAULT false,
    "ask_for_rating" BOOLEAN NOT NULL DEFAULT true,
    "deleted_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "signature" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "teams" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ,
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
    "name" TEXT,
    "token_hash" BYTEA,
    "mailed_at" TIMESTAMPTZ,
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
    "deleted_at" TIMESTAMPTZ,
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
    "ratings_declined_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contact_identities" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "channel" "channel" NOT NULL,
    "scope" TEXT NOT NULL DEFAULT '',
    "external_id" TEXT NOT NULL,
    "name" TEXT,
    "phone" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channel_accounts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "channel" "channel" NOT NULL,
    "external_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "credentials" BYTEA,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "status" "channel_account_status" NOT NULL DEFAULT 'connected',
    "last_error" TEXT,
    "last_error_at" TIMESTAMPTZ,
    "last_received_at" TIMESTAMPTZ,
    "last_sent_at" TIMESTAMPTZ,
    "expires_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ,

    CONSTRAINT "channel_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbound_updates" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "account_id" UUID,
    "channel" "channel" NOT NULL,
    "external_id" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "received_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "processed_at" TIMESTAMPTZ,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "inbound_updates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email_domains" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "verification_token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ,
    "dkim_selector" TEXT,
    "dkim_private_key" BYTEA,
    "dkim_public_key" TEXT,
    "dkim_checked_at" TIMESTAMPTZ,
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
    "contact_claimed" BOOLEAN NOT NULL DEFAULT false,
    "external_thread_id" TEXT,
    "channel_account_id" UUID,
    "status_changed_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "assigned_at" TIMESTAMPTZ,
    "resolved_at" TIMESTAMPTZ,
    "rating_asked_at" TIMESTAMPTZ,
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
    "position" SMALLINT NOT NULL DEFAULT 0,
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
    "deferrals" SMALLINT NOT NULL DEFAULT 0,
    "solve_asked_at" TIMESTAMPTZ,
    "external_id" TEXT,
    "provider_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "automatic" BOOLEAN NOT NULL DEFAULT false,
    "template" JSONB,
    "edited_at" TIMESTAMPTZ,
    "sender_verified" BOOLEAN,
    "html" TEXT,
    "trimmed" BOOLEAN NOT NULL DEFAULT false,
    "full_content" TEXT,
    "original_file_id" UUID,
    "mail_to" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "cc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_references" (
    "workspace_id" UUID NOT NULL,
    "message_id_header" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_references_pkey" PRIMARY KEY ("workspace_id","message_id_header","message_id")
);

-- CreateTable
CREATE TABLE "stored_files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "store" TEXT NOT NULL,
    "size_bytes" INTEGER,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ,

    CONSTRAINT "stored_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "file_chunks" (
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "file_chunks_pkey" PRIMARY KEY ("file_id","position")
);

-- CreateTable
CREATE TABLE "attachments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "inline" BOOLEAN NOT NULL DEFAULT false,
    "content_id" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pending_replies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "author_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "send_at" TIMESTAMPTZ NOT NULL,
    "problem" TEXT,
    "solves" BOOLEAN NOT NULL DEFAULT false,
    "cc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "attachments" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pending_replies_pkey" PRIMARY KEY ("id")
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
    "solved_conversation_id" UUID NOT NULL,
    "resolved_at" TIMESTAMPTZ,
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
CREATE TABLE "saved_answers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "question" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "next_status" "conversation_status" NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_answers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "flows" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "condition" JSONB NOT NULL,
    "actions" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "flows_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "visitors" (
    "token_hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "contact_id" UUID,
    "contact_claimed" BOOLEAN NOT NULL DEFAULT false,
    "conversation_id" UUID,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "visitors_pkey" PRIMARY KEY ("token_hash")
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
    "access_token_hash" BYTEA,
    "ended_at" TIMESTAMPTZ,
    "end_reason" "connection_end",
    "paced_until" TIMESTAMPTZ,
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
    "failing_since" TIMESTAMPTZ,
    "throttled_at" TIMESTAMPTZ,
    "next_start_at" TIMESTAMPTZ,
    "timed_out_at" TIMESTAMPTZ,
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
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "events_to_fan_out" (
    "event_id" UUID NOT NULL,

    CONSTRAINT "events_to_fan_out_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "drains" (
    "hook_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ NOT NULL,
    "wakes" INTEGER NOT NULL DEFAULT 0,
    "drained_by" TEXT,

    CONSTRAINT "drains_pkey" PRIMARY KEY ("hook_id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "earlier_attempts" INTEGER NOT NULL DEFAULT 0,
    "had_error_status" BOOLEAN NOT NULL DEFAULT false,
    "next_attempt_at" TIMESTAMPTZ,
    "ended_at" TIMESTAMPTZ,
    "outcome" "delivery_outcome",
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT now(),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("event_id","hook_id")
) PARTITION BY RANGE ("event_id");

-- CreateTable
CREATE TABLE "attempts" (
    "event_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" SMALLINT NOT NULL,
    "outcome" "attempt_outcome" NOT NULL,
    "status_code" SMALLINT,
    "error" TEXT,
    "response_excerpt" TEXT,
    "retry_after" TEXT,
    "started_at" TIMESTAMPTZ NOT NULL,
    "duration_ms" INTEGER NOT NULL,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("event_id","delivery_id","number")
) PARTITION BY RANGE ("event_id");

-- CreateTable
CREATE TABLE "samples" (
    "conversation_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "filter" TEXT NOT NULL DEFAULT '',
    "subject_id" UUID NOT NULL,
    "occurred_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "samples_pkey" PRIMARY KEY ("conversation_id","event","filter")
);

-- CreateTable
CREATE TABLE "queued_jobs" (
    "id" BIGSERIAL NOT NULL,
    "task" TEXT NOT NULL,
    "payload" JSON NOT NULL,
    "run_at" TIMESTAMPTZ,
    "job_key" TEXT,
    "queue_name" TEXT,
    "queued_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "queued_jobs_pkey" PRIMARY KEY ("id")
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
CREATE INDEX "contact_identities_workspace_id_contact_id_idx" ON "contact_identities"("workspace_id", "contact_id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_identities_workspace_id_channel_scope_external_id_key" ON "contact_identities"("workspace_id", "channel", "scope", "external_id");

-- CreateIndex
CREATE INDEX "channel_accounts_workspace_id_created_at_idx" ON "channel_accounts"("workspace_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "channel_accounts_workspace_id_id_key" ON "channel_accounts"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "inbound_updates_workspace_id_idx" ON "inbound_updates"("workspace_id");

-- CreateIndex
CREATE INDEX "inbound_updates_received_at_idx" ON "inbound_updates"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_updates_account_id_external_id_key" ON "inbound_updates"("account_id", "external_id");

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
CREATE INDEX "conversations_workspace_id_contact_id_idx" ON "conversations"("workspace_id", "contact_id");

-- CreateIndex
CREATE INDEX "conversations_workspace_id_mailbox_id_idx" ON "conversations"("workspace_id", "mailbox_id");

-- CreateIndex
CREATE INDEX "conversations_channel_account_id_external_thread_id_created_idx" ON "conversations"("channel_account_id", "external_thread_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_channel_account_id_idx" ON "conversations"("workspace_id", "channel_account_id");

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
CREATE INDEX "tagging_tags_workspace_id_tagging_id_idx" ON "tagging_tags"("workspace_id", "tagging_id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_original_file_id_key" ON "messages"("original_file_id");

-- CreateIndex
CREATE INDEX "messages_conversation_id_created_at_idx" ON "messages"("conversation_id", "created_at");

-- CreateIndex
CREATE INDEX "messages_author_id_idx" ON "messages"("author_id");

-- CreateIndex
CREATE INDEX "messages_connection_id_idx" ON "messages"("connection_id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_workspace_id_id_key" ON "messages"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_workspace_id_external_id_key" ON "messages"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "mail_references_message_id_idx" ON "mail_references"("message_id");

-- CreateIndex
CREATE INDEX "mail_references_conversation_id_idx" ON "mail_references"("conversation_id");

-- CreateIndex
CREATE INDEX "stored_files_workspace_id_size_bytes_idx" ON "stored_files"("workspace_id", "size_bytes");

-- CreateIndex
CREATE INDEX "attachments_message_id_idx" ON "attachments"("message_id");

-- CreateIndex
CREATE INDEX "attachments_workspace_id_idx" ON "attachments"("workspace_id");

-- CreateIndex
CREATE INDEX "pending_replies_conversation_id_idx" ON "pending_replies"("conversation_id");

-- CreateIndex
CREATE INDEX "pending_replies_author_id_idx" ON "pending_replies"("author_id");

-- CreateIndex
CREATE INDEX "pending_replies_workspace_id_idx" ON "pending_replies"("workspace_id");

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
CREATE INDEX "saved_answers_workspace_id_created_at_idx" ON "saved_answers"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "flows_workspace_id_created_at_idx" ON "flows"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "visitors_workspace_id_contact_id_idx" ON "visitors"("workspace_id", "contact_id");

-- CreateIndex
CREATE INDEX "visitors_workspace_id_conversation_id_idx" ON "visitors"("workspace_id", "conversation_id");

-- CreateIndex
CREATE INDEX "visitors_last_seen_at_idx" ON "visitors"("last_seen_at");

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
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens" USING BRIN ("expires_at");

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
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_workspace_id_id_key" ON "events"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "drains_due_at_idx" ON "drains"("due_at");

-- CreateIndex
CREATE INDEX "deliveries_hook_id_created_at_idx" ON "deliveries"("hook_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "deliveries_workspace_id_created_at_idx" ON "deliveries"("workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "samples_workspace_id_event_filter_occurred_at_conversation__idx" ON "samples"("workspace_id", "event", "filter", "occurred_at" DESC, "conversation_id" DESC);

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
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_accounts" ADD CONSTRAINT "channel_accounts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbound_updates" ADD CONSTRAINT "inbound_updates_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbound_updates" ADD CONSTRAINT "inbound_updates_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "channel_accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_channel_account_id_fkey" FOREIGN KEY ("workspace_id", "channel_account_id") REFERENCES "channel_accounts"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

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
ALTER TABLE "messages" ADD CONSTRAINT "messages_original_file_id_fkey" FOREIGN KEY ("original_file_id") REFERENCES "stored_files"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_references" ADD CONSTRAINT "mail_references_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_references" ADD CONSTRAINT "mail_references_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_references" ADD CONSTRAINT "mail_references_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_chunks" ADD CONSTRAINT "file_chunks_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "stored_files"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_id_fkey" FOREIGN KEY ("id") REFERENCES "stored_files"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_workspace_id_solved_conversation_id_fkey" FOREIGN KEY ("workspace_id", "solved_conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "saved_answers" ADD CONSTRAINT "saved_answers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "flows" ADD CONSTRAINT "flows_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "visitors" ADD CONSTRAINT "visitors_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "visitors" ADD CONSTRAINT "visitors_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "visitors" ADD CONSTRAINT "visitors_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "drains" ADD CONSTRAINT "drains_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_workspace_id_hook_id_fkey" FOREIGN KEY ("workspace_id", "hook_id") REFERENCES "hooks"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "samples" ADD CONSTRAINT "samples_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language cannot say.

-- Values as the domain knows them.
alter table "users" add constraint "users_email_lowercase" check ("email" = lower("email"));
-- The email address of a deleted account is free again.
alter table "users" add constraint "users_deleted_has_no_address" check ("deleted_at" is null or "email" = "id"::text || '@deleted.invalid');
alter table "invitations" add constraint "invitations_email_lowercase" check ("email" = lower("email"));
alter table "invitations" add constraint "invitations_ended_once" check ("accepted_at" is null or "withdrawn_at" is null);
alter table "invitations" add constraint "invitations_mailed_has_token" check ("mailed_at" is null or "token_hash" is not null);
alter table "company_domains" add constraint "company_domains_lowercase" check ("domain" = lower("domain"));
alter table "email_domains" add constraint "email_domains_lowercase" check ("domain" = lower("domain"));
-- A DKIM key is stored with all its parts or not at all, and its record can only have been found when there is one.
alter table "email_domains" add constraint "email_domains_dkim_whole" check (
  num_nulls("dkim_selector", "dkim_private_key", "dkim_public_key") in (0, 3)
  and ("dkim_selector" is not null or "dkim_checked_at" is null)
);
alter table "mailboxes" add constraint "mailboxes_address_lowercase" check ("address" = lower("address"));
alter table "workspaces" add constraint "workspaces_close_solved_positive" check ("close_solved_after_days" > 0);
alter table "workspaces" add constraint "workspaces_sla_positive" check ("sla_first_response_minutes" > 0 and "sla_resolution_minutes" > 0);

alter table "contacts" add constraint "contacts_email_lowercase" check ("email" = lower("email"));
alter table "contacts" add constraint "contacts_phone_digits" check ("phone_digits" is not distinct from nullif(regexp_replace("phone", '[^0-9]', '', 'g'), ''));
alter table "contact_identities" add constraint "contact_identities_external_id" check ("external_id" <> '');

alter table "conversations" add constraint "conversations_not_merged_into_itself" check ("merged_into_id" <> "id");
alter table "conversations" add constraint "conversations_assigned_at" check (("assignee_id" is null) = ("assigned_at" is null));
alter table "conversations" add constraint "conversations_solved_has_resolved_at" check ("status" <> 'solved' or "resolved_at" is not null);
alter table "conversation_tags" add constraint "conversation_tags_not_blank" check ("key" <> '' and "name" <> '');
alter table "conversation_tags" add constraint "conversation_tags_length" check (char_length("name") <= 40);
alter table "tagging_tags" add constraint "tagging_tags_not_blank" check ("key" <> '' and "name" <> '');
alter table "ratings" add constraint "ratings_score" check ("score" between 1 and 5);
alter table "command_runs" add constraint "command_runs_command" check ("command" ~ '^[a-z0-9][a-z0-9_-]{0,47}$');
alter table "saved_answers" add constraint "saved_answers_next_status" check ("next_status" in ('pending', 'solved'));

alter table "messages" add constraint "messages_inbound_by_contact" check (("direction" = 'inbound') = ("author_kind" = 'contact'));
alter table "messages" add constraint "messages_only_outbound_is_sent" check ("direction" = 'outbound' or "send_status" is null);
alter table "messages" add constraint "messages_only_outbound_solves" check ("solve_asked_at" is null or "direction" = 'outbound');
alter table "messages" add constraint "messages_only_inbound_is_edited" check ("direction" = 'inbound' or "edited_at" is null);
alter table "messages" add constraint "messages_error_only_when_failed" check ("delivery_error" is null or "send_status" = 'failed');
alter table "messages" add constraint "messages_attachments_count" check ("attachments_count" >= 0);
alter table "messages" add constraint "messages_deferrals_counted" check ("deferrals" >= 0);
alter table "messages" add constraint "messages_full_content_when_trimmed" check ("full_content" is null or "trimmed");
-- Strangers write the headers of an email: the number of recipients is bounded.
alter table "messages" add constraint "messages_recipients_bounded" check (
  cardinality("mail_to") <= 50 and cardinality("cc") <= 50 and cardinality("bcc") <= 50
);

alter table "stored_files" add constraint "stored_files_store" check ("store" in ('database', 's3'));
alter table "stored_files" add constraint "stored_files_size" check ("size_bytes" >= 0);
alter table "file_chunks" add constraint "file_chunks_content" check ("position" >= 0 and octet_length("content") <= 262144);

alter table "channel_accounts" add constraint "channel_accounts_credentials" check (("deleted_at" is null) = ("credentials" is not null));
alter table "channel_accounts" add constraint "channel_accounts_error_has_time" check (("last_error" is null) = ("last_error_at" is null));
alter table "channel_accounts" add constraint "channel_accounts_external_id" check ("external_id" <> '');
alter table "inbound_updates" add constraint "inbound_updates_attempts" check ("attempts" >= 0);

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
alter table "hooks" add constraint "hooks_failing_since_first_error" check (("consecutive_errors" > 0) = ("failing_since" is not null));

alter table "events" add constraint "events_key" check ("key" in (
  'conversation.created', 'conversation.status_changed', 'conversation.assigned', 'conversation.tagged',
  'conversation.rated', 'message.received', 'contact.created', 'operator.command'));
alter table "deliveries" add constraint "deliveries_end_has_outcome" check (("ended_at" is null) = ("outcome" is null));
alter table "deliveries" add constraint "deliveries_awaits_or_ended" check (("ended_at" is null) = ("next_attempt_at" is not null));
alter table "deliveries" add constraint "deliveries_attempts" check ("attempts" >= 0);
alter table "deliveries" add constraint "deliveries_earlier_attempts" check ("earlier_attempts" between 0 and "attempts");
alter table "attempts" add constraint "attempts_number" check ("number" >= 1);
alter table "samples" add constraint "samples_event" check ("event" in (
  'conversation.tagged', 'conversation.rated', 'message.received', 'operator.command'));
alter table "samples" add constraint "samples_filter" check ("filter" = '' or "event" in ('conversation.tagged', 'operator.command'));

-- The job queue would refuse these, and one such row would hold up all jobs that are moved with it.
alter table "queued_jobs" add constraint "queued_jobs_task" check (char_length("task") between 1 and 128);
alter table "queued_jobs" add constraint "queued_jobs_job_key" check (char_length("job_key") between 1 and 512);
alter table "queued_jobs" add constraint "queued_jobs_queue_name" check (char_length("queue_name") between 1 and 128);

-- How rows are stored.
-- Files are compressed already: storing them as they are saves the time, and lets a part of one be read alone.
alter table "file_chunks" alter column "content" set storage external;
alter table "inbound_updates" alter column "body" set storage external;
-- A refresh changes no indexed column of the connection: with room on its page no index is written.
alter table "connections" set (fillfactor = 80);
-- A row is deleted within moments: a few dead rows are enough to clean up after.
alter table "queued_jobs" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- One of a kind.
-- A team that is being deleted leaves its name to others.
create unique index "teams_name_key" on "teams" ("workspace_id", lower("name")) where "deleted_at" is null;
create unique index "mailboxes_one_default" on "mailboxes" ("workspace_id") where "is_default";
create unique index "invitations_one_open" on "invitations" ("workspace_id", "email") where "accepted_at" is null and "withdrawn_at" is null;
create unique index "sla_clocks_one_running" on "sla_clocks" ("conversation_id", "kind") where "stopped_at" is null;
-- One rating each time that a conversation was solved, and one of a conversation that was closed without it.
create unique index "ratings_once_each_solving" on "ratings" ("solved_conversation_id", "resolved_at") nulls not distinct;
-- A provider's account is connected once in an installation; disconnected it keeps no secrets.
create unique index "channel_accounts_connected_once" on "channel_accounts" ("channel", "external_id") where "deleted_at" is null;
-- Email has no account: an update of it is known by its own id.
create unique index "inbound_updates_without_account" on "inbound_updates" ("channel", "external_id") where "account_id" is null;

-- The inbox lists by one of four columns and a status, newest first; several statuses are merged in order. What it never
-- shows is left out of an index, or, where a foreign key is checked by the index too, included in it.
create index "inbox_by_status" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test";
create index "inbox_by_channel" on "conversations" ("workspace_id", "channel", "status", "last_message_at" desc, "id" desc)
  where "merged_into_id" is null and not "is_test";
create index "inbox_by_team" on "conversations" ("workspace_id", "team_id", "status", "last_message_at" desc, "id" desc)
  include ("merged_into_id", "is_test") where "team_id" is not null;
-- Unassigned conversations have a separate index: with one index in which the assignee may be null, PostgreSQL does not see
-- that the rows of null come in order, and sorts them all. Each conversation is in one of the two only.
create index "inbox_by_assignee" on "conversations" ("workspace_id", "assignee_id", "status", "last_message_at" desc, "id" desc)
  include ("merged_into_id", "is_test") where "assignee_id" is not null;
create index "inbox_unassigned" on "conversations" ("workspace_id", "status", "last_message_at" desc, "id" desc)
  where "assignee_id" is null and "merged_into_id" is null and not "is_test";

-- Lists and samples: only what they may show, newest first.
create index "conversations_by_creation" on "conversations" ("workspace_id", "created_at" desc, "id" desc) where "merged_into_id" is null and not "is_test";
create index "conversations_by_status_change" on "conversations" ("workspace_id", "status_changed_at" desc, "id" desc) where "merged_into_id" is null and not "is_test";
create index "conversations_by_status" on "conversations" ("workspace_id", "status", "status_changed_at" desc, "id" desc) where "merged_into_id" is null and not "is_test";
create index "conversations_by_assignment" on "conversations" ("workspace_id", "assigned_at" desc, "id" desc) where "assigned_at" is not null and "merged_into_id" is null and not "is_test";
create index "conversations_merged" on "conversations" ("workspace_id", "merged_into_id") where "merged_into_id" is not null;
create index "conversations_of_contact" on "conversations" ("workspace_id", "contact_id", "created_at" desc, "id" desc) where "merged_into_id" is null;
create index "conversations_of_contact_by_status" on "conversations" ("workspace_id", "contact_id", "status", "created_at" desc, "id" desc) where "merged_into_id" is null;
create index "contacts_by_creation" on "contacts" ("workspace_id", "created_at" desc, "id" desc) where not "is_test";
create index "companies_by_name" on "companies" ("workspace_id", lower("name"), "id") where "deleted_at" is null;
-- Contacts who could be linked to the company that has the domain of their address.
create index "contacts_without_company" on "contacts" ("workspace_id", split_part("email", '@', -1))
  where "company_id" is null and "email" is not null and not "is_test";
create index "notifications_unread" on "notifications" ("user_id", "workspace_id") where "read_at" is null;

-- What jobs look for.
create index "messages_unsent" on "messages" ("send_started_at") where "send_status" in ('queued', 'sending');
create index "conversations_solved" on "conversations" ("workspace_id", "status_changed_at") where "status" = 'solved' and "merged_into_id" is null;
create index "sla_clocks_running" on "sla_clocks" ("due_at") where "stopped_at" is null and "paused_at" is null and "breached_at" is null;
create index "notifications_unseen" on "notifications" ("created_at") where "read_at" is null and "emailed_at" is null;
create index "visitors_who_never_wrote" on "visitors" ("created_at") where "conversation_id" is null;
create index "stored_files_expiring" on "stored_files" ("expires_at") where "expires_at" is not null;
create index "inbound_updates_waiting" on "inbound_updates" ("account_id", "received_at") where "processed_at" is null;
-- Statuses that come late name any part of a long reply.
create index "messages_provider_ids" on "messages" using gin ("provider_ids") where "provider_ids" <> '{}';

-- What is live.
create index "connections_active" on "connections" ("workspace_id") where "ended_at" is null;
create index "connections_unexchanged" on "connections" ("created_at") where "ended_at" is null and "exchanged_at" is null;
create index "hooks_live" on "hooks" ("workspace_id", "event") where "removed_at" is null;
create index "hooks_removed" on "hooks" ("removed_at") where "removed_at" is not null;

-- Searching. The words of a text are what stands between white space and punctuation
-- (which PostgreSQL takes for letters outside of ASCII where its locale is C), so that addresses, numbers of
-- orders and phone numbers are found by their parts; no language is assumed. The workspace is one more word (no text has
-- one with a colon), so that one index answers for one workspace. Of a message the first 8,000 characters are searched.
-- Prisma does not know these columns: they are generated, and only the SQL of searches reads them.
create function "searchable_words"("given" text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, translate("given",
    U&'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\00a0\00a1\00ab\00b7\00bb\00bf\2013\2014\2018\2019\201a\201c\201d\201e\2022\2026\3001\3002\300c\300d',
    repeat(' ', 52)));
create function "workspace_word"("workspace_id" uuid) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array['w:' || "workspace_id"::text]);

alter table "messages" add column "search" tsvector
  generated always as (strip("searchable_words"(left("content", 8000))) || "workspace_word"("workspace_id")) stored;
alter table "conversations" add column "search" tsvector
  generated always as (case when "subject" is not null then strip("searchable_words"("subject")) || "workspace_word"("workspace_id") end) stored;
-- A contact of whom nothing is known is called a visitor, with the last four characters of the id, and is found by these.
alter table "contacts" add column "search" tsvector
  generated always as (strip("searchable_words"(
    coalesce("first_name", '') || ' ' || coalesce("last_name", '') || ' ' || coalesce("email", '') || ' ' ||
    coalesce("phone", '') || ' ' || coalesce("phone_digits", '') ||
    case when coalesce("first_name", "last_name", "email", "phone") is null then 'Visitor ' || right("id"::text, 4) else '' end
  )) || "workspace_word"("workspace_id")) stored;
create index "messages_search" on "messages" using gin ("search");
create index "conversations_search" on "conversations" using gin ("search");
create index "contacts_search" on "contacts" using gin ("search");

-- Files expire once nothing refers to them, also when their conversation or workspace is deleted.
create function expire_unlinked_files() returns trigger language plpgsql as $$
begin
  update stored_files set expires_at = now() where id in (select id from unlinked);
  return null;
end $$;
create trigger "attachments_unlink" after delete on "attachments"
  referencing old table as unlinked for each statement execute function expire_unlinked_files();

create function expire_unlinked_originals() returns trigger language plpgsql as $$
begin
  update stored_files set expires_at = now()
  where id in (select original_file_id from unlinked where original_file_id is not null);
  return null;
end $$;
create trigger "messages_unlink_original" after delete on "messages"
  referencing old table as unlinked for each statement execute function expire_unlinked_originals();

-- Events, deliveries and attempts are partitioned by the day of the event's id, whose first 48 bits are milliseconds
-- (UUIDv7). Prisma knows nothing of partitions: `partition by` above is written by hand, and its foreign keys from one of
-- the three to another are left out, as PostgreSQL would look through all of them before it lets a day go. The statements
-- that write deliveries and attempts take the event's id from the row they belong to, and triggers delete what a key would.

-- Takes the rows of days without a partition: none, unless no worker ran for days.
create table "events_default" partition of "events" default;
create table "deliveries_default" partition of "deliveries" default;
create table "attempts_default" partition of "attempts" default;

-- Unique as far as random numbers are: an index of all days cannot promise it without the event's id.
create index "deliveries_id_key" on "deliveries" ("id");
-- What a hook has yet to get, in the order in which it is due.
create index "deliveries_unended" on "deliveries" ("hook_id", "next_attempt_at", "event_id") where "ended_at" is null;
-- The log of what did not arrive, which is little among much, by the words of its filter.
create index "deliveries_undelivered" on "deliveries" (
  "workspace_id",
  (case
    when "outcome" in ('dropped', 'exhausted') then 'failed'
    when "outcome" = 'cancelled' then 'cancelled'
    when "attempts" > "earlier_attempts" then 'retrying'
    else 'waiting' end),
  "created_at" desc, "id" desc
) where "outcome" is distinct from 'delivered';
-- What failed lately and can be sent again.
create index "deliveries_failed" on "deliveries" ("workspace_id", "ended_at") where "outcome" in ('dropped', 'exhausted');
-- What was sent again by hand outlives its day.
create index "deliveries_sent_again" on "deliveries" ("ended_at") where "earlier_attempts" > 0;

-- Returns the lowest id of a day (UTC).
create function "history_bound"("day" date) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from "day"::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Detaching, dropping and attaching a day also lock the table that its foreign key refers to, `hooks` or `workspaces`. All
-- locks are taken first, in the order of every other statement: taken last, that lock and the statement that holds a hook
-- and needs `deliveries` would wait for each other. Each is waited for for a quarter of a second, and all of them for less
-- than the second after which PostgreSQL calls it a deadlock.
create function "lock_history"("parent" text, "adds" boolean) returns void language plpgsql as $$
declare
  referenced text := case parent when 'deliveries' then 'hooks' when 'events' then 'workspaces' end;
begin
  perform set_config('lock_timeout', '250', true);
  if referenced is not null then
    execute format('lock table only %I in %s mode', referenced,
      case when adds then 'share row exclusive' else 'access exclusive' end);
  end if;
  execute format('lock table only %I in %s mode', parent,
    case when adds then 'share update exclusive' else 'access exclusive' end);
  execute format('lock table only %I in access exclusive mode', parent || '_default');
end
$$;

-- Creates the partition of a day, unless it exists, and moves the day's rows of the default partition into it.
create function "add_history_day"("parent" text, "day" date) returns boolean language plpgsql as $$
declare
  part text := parent || '_' || to_char(day, 'YYYYMMDD');
  key text := case parent when 'events' then 'id' else 'event_id' end;
  low uuid := history_bound(day);
  high uuid := history_bound(day + 1);
begin
  if to_regclass(part) is not null then return false; end if;
  perform lock_history(parent, true);
  -- Another worker may have made it meanwhile.
  if to_regclass(part) is not null then return false; end if;
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
    parent || '_default', key, low, key, high, part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, low, high);
  return true;
end
$$;

-- Drops the partition of a day whole. What is still to be sent, and what was sent again by hand and ended since
-- `since`, is kept, with its event and attempts: it moves to the default partitions. Deliveries go first.
create function "drop_history_day"("parent" text, "day" date, "since" timestamptz) returns void language plpgsql as $$
declare
  part text := parent || '_' || to_char(day, 'YYYYMMDD');
begin
  perform lock_history(parent, false);
  -- Another worker may have dropped it meanwhile.
  if to_regclass(part) is null then return; end if;
  execute format('alter table %I detach partition %I', parent, part);
  if parent = 'deliveries' then
    execute format(
      'insert into deliveries select * from %1$I where ended_at is null
         union all select * from %1$I where earlier_attempts > 0 and ended_at >= $1', part) using since;
  else
    execute format(
      'insert into %I select p.* from (
         select distinct event_id as kept from deliveries_default where event_id >= $1 and event_id < $2
       ) d join %I p on p.%I = d.kept',
      parent, part, case parent when 'events' then 'id' else 'event_id' end)
      using history_bound(day), history_bound(day + 1);
  end if;
  execute format('drop table %I', part);
end
$$;

-- Today, the day before and three ahead.
do $$
declare
  day date;
  parent text;
begin
  for day in select current_date + ahead from generate_series(-1, 3) ahead loop
    foreach parent in array array['events', 'deliveries', 'attempts'] loop
      perform add_history_day(parent, day);
    end loop;
  end loop;
end
$$;

-- What a foreign key would do: deliveries go with their event, attempts with their delivery. Whole days go without it.
create function "delete_deliveries_of_events"() returns trigger language plpgsql as $$
begin
  delete from deliveries d using gone where d.event_id = gone.id;
  return null;
end
$$;
create trigger "deliveries_go_with_their_event" after delete on "events"
  referencing old table as gone for each statement execute function "delete_deliveries_of_events"();

create function "delete_attempts_of_deliveries"() returns trigger language plpgsql as $$
begin
  delete from attempts a using gone where a.event_id = gone.event_id and a.delivery_id = gone.id;
  return null;
end
$$;
create trigger "attempts_go_with_their_delivery" after delete on "deliveries"
  referencing old table as gone for each statement execute function "delete_attempts_of_deliveries"();

-- Where the rate limits are counted: lost in a crash without harm, so not logged.
-- The columns are those of rate-limiter-flexible.
create unlogged table "rate_limits" (
  "key" varchar(255) primary key,
  "points" integer not null default 0,
  "expire" bigint
);
create index "rate_limits_expire" on "rate_limits" ("expire");
