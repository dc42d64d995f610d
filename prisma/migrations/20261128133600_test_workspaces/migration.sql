-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "test_of_id" UUID;

-- CreateTable
CREATE TABLE "outbox_messages" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "channel" "channel" NOT NULL,
    "sender" TEXT NOT NULL,
    "recipients" TEXT[],
    "cc" TEXT[],
    "bcc" TEXT[],
    "subject" TEXT,
    "content" TEXT NOT NULL,
    "file_names" TEXT[],
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "outbox_messages_workspace_id_id_idx" ON "outbox_messages"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "outbox_messages_created_at_idx" ON "outbox_messages"("created_at");

-- AddForeignKey
ALTER TABLE "outbox_messages" ADD CONSTRAINT "outbox_messages_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A workspace is a test workspace from its creation on, or never.
create function keep_test_of() returns trigger language plpgsql as $$
begin
  raise exception 'test_of_id of a workspace never changes' using errcode = 'check_violation';
end $$;
create trigger "workspaces_keep_test_of" before update of "test_of_id" on "workspaces"
  for each row when (new."test_of_id" is distinct from old."test_of_id") execute function keep_test_of();

-- A test workspace has no account at a provider and no email domain, so that no code can send through one.
create function refuse_in_test_workspace() returns trigger language plpgsql as $$
begin
  if exists (select from workspaces where id = new.workspace_id and test_of_id is not null) then
    raise exception 'a test workspace has no %', tg_table_name using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger "channel_accounts_not_in_test" before insert or update of "workspace_id" on "channel_accounts"
  for each row execute function refuse_in_test_workspace();
create trigger "email_domains_not_in_test" before insert or update of "workspace_id" on "email_domains"
  for each row execute function refuse_in_test_workspace();
