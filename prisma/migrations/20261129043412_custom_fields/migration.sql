-- CreateEnum
CREATE TYPE "field_subject" AS ENUM ('contact', 'conversation');

-- CreateEnum
CREATE TYPE "field_type" AS ENUM ('text', 'number', 'date', 'choice');

-- CreateTable
CREATE TABLE "custom_fields" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "subject" "field_subject" NOT NULL,
    "type" "field_type" NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "deleted_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "field_choices" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "field_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "deleted_at" TIMESTAMPTZ,

    CONSTRAINT "field_choices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contact_field_values" (
    "contact_id" UUID NOT NULL,
    "field_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "text" TEXT,
    "number" DECIMAL(21,6),
    "date" DATE,
    "choice_id" UUID,

    CONSTRAINT "contact_field_values_pkey" PRIMARY KEY ("contact_id","field_id")
);

-- CreateTable
CREATE TABLE "conversation_field_values" (
    "conversation_id" UUID NOT NULL,
    "field_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "text" TEXT,
    "number" DECIMAL(21,6),
    "date" DATE,
    "choice_id" UUID,

    CONSTRAINT "conversation_field_values_pkey" PRIMARY KEY ("conversation_id","field_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_workspace_id_id_key" ON "custom_fields"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "field_choices_field_id_id_key" ON "field_choices"("field_id", "id");

-- CreateIndex
CREATE INDEX "contact_field_values_field_id_choice_id_idx" ON "contact_field_values"("field_id", "choice_id");

-- CreateIndex
CREATE INDEX "conversation_field_values_field_id_choice_id_idx" ON "conversation_field_values"("field_id", "choice_id");

-- AddForeignKey
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "field_choices" ADD CONSTRAINT "field_choices_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "custom_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_field_values" ADD CONSTRAINT "contact_field_values_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_field_values" ADD CONSTRAINT "contact_field_values_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "custom_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_field_values" ADD CONSTRAINT "contact_field_values_field_id_choice_id_fkey" FOREIGN KEY ("field_id", "choice_id") REFERENCES "field_choices"("field_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_field_values" ADD CONSTRAINT "conversation_field_values_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_field_values" ADD CONSTRAINT "conversation_field_values_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "custom_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_field_values" ADD CONSTRAINT "conversation_field_values_field_id_choice_id_fkey" FOREIGN KEY ("field_id", "choice_id") REFERENCES "field_choices"("field_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_name" CHECK (name <> '');
ALTER TABLE "field_choices" ADD CONSTRAINT "field_choices_name" CHECK (name <> '');
ALTER TABLE "contact_field_values" ADD CONSTRAINT "contact_field_values_one" CHECK (num_nonnulls("text", "number", "date", "choice_id") = 1 AND "text" <> '');
ALTER TABLE "conversation_field_values" ADD CONSTRAINT "conversation_field_values_one" CHECK (num_nonnulls("text", "number", "date", "choice_id") = 1 AND "text" <> '');

-- A deleted field or choice frees its name.
CREATE UNIQUE INDEX "custom_fields_name_key" ON "custom_fields"("workspace_id", "subject", lower("name")) WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "field_choices_name_key" ON "field_choices"("field_id", lower("name")) WHERE "deleted_at" IS NULL;

-- A value has one of them. The index of choices has the rows of all types, so that a deleted field finds its values.
CREATE INDEX "contact_field_values_number" ON "contact_field_values"("field_id", "number") WHERE "number" IS NOT NULL;
CREATE INDEX "contact_field_values_date" ON "contact_field_values"("field_id", "date") WHERE "date" IS NOT NULL;
CREATE INDEX "contact_field_values_text" ON "contact_field_values"("field_id", lower("text")) WHERE "text" IS NOT NULL;
CREATE INDEX "conversation_field_values_number" ON "conversation_field_values"("field_id", "number") WHERE "number" IS NOT NULL;
CREATE INDEX "conversation_field_values_date" ON "conversation_field_values"("field_id", "date") WHERE "date" IS NOT NULL;
CREATE INDEX "conversation_field_values_text" ON "conversation_field_values"("field_id", lower("text")) WHERE "text" IS NOT NULL;
