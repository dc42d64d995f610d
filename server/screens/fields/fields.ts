import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import {
  createField,
  deleteField,
  moveField,
  updateField,
} from '#server/administration/fields/change-fields.ts';
import { countFieldValues } from '#server/administration/fields/count-field-values.ts';
import { remainingId } from '#server/contacts/contact-alias.ts';
import { CHOICES_MAX, FIELDS_MAX, listFields } from '#server/contacts/custom-fields.ts';
import { FIELD_TEXT_MAX, readFieldValues } from '#server/contacts/field-values.ts';
import { setContactField } from '#server/contacts/set-contact-field.ts';
import { keyInput, lineInput, textInput } from '#server/contract/text-input.ts';
import type { ReadDb } from '#server/core/database/batch-reads.ts';
import { notFound } from '#server/core/errors.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { FieldSubject, FieldType } from '#server/generated/prisma/enums.ts';
import { isReadableBy, type MemberView } from '#server/inbox/conversations/readable-conversations.ts';
import { setConversationField } from '#server/inbox/conversations/set-conversation-field.ts';
import type { FieldsView, FieldUsage, FieldValues } from '#server/screens/fields/views.ts';
import { adminProcedure, agentProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';

const which = z.object({ id: keyInput });
const choices = z.array(z.object({ id: z.uuid().optional(), name: lineInput })).max(2 * CHOICES_MAX);
/** As typed. The domain function says what is wrong with it. */
const value = textInput(FIELD_TEXT_MAX, 'value');

/** Custom fields of a workspace, and their values. */
export const fieldsScreens = screenRouter({
  list: screenProcedure.query(
    async ({ ctx: { workspace, reads } }): Promise<FieldsView> => ({
      fields: await listFields(reads, workspace.id),
      max: FIELDS_MAX,
      choicesMax: CHOICES_MAX,
    }),
  ),
  ofConversation: screenProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which)
    .query(async ({ ctx: { workspace, reads }, input: { id } }): Promise<FieldValues> => {
      const { id: workspaceId, role, visibility } = workspace;
      return isUuid(id) ? readConversationFields(reads, { workspaceId, role, visibility, id }) : {};
    }),
  ofContact: screenProcedure
    .input(which)
    .query(async ({ ctx: { workspace, reads }, input: { id } }): Promise<FieldValues> => {
      if (!isUuid(id)) return {};
      const ownerId = remainingId({ workspaceId: workspace.id, id });
      return readFieldValues(reads, { workspaceId: workspace.id, subject: 'contact', ownerId });
    }),
  setOnConversation: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ fieldId: keyInput, value }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      setConversationField({ workspaceId: workspace.id, ...input, actor }),
    ),
  setOnContact: agentProcedure
    .input(which.extend({ fieldId: keyInput, value }))
    .mutation(({ ctx: { workspace }, input }) => setContactField({ workspaceId: workspace.id, ...input })),

  /** Counts the values that a deletion would remove. */
  usage: adminProcedure
    .input(which)
    .query(({ ctx: { workspace }, input: { id } }) => getUsage({ workspaceId: workspace.id, fieldId: id })),
  create: adminProcedure
    .input(z.object({ subject: z.enum(FieldSubject), type: z.enum(FieldType), name: lineInput, choices }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      createField({ workspaceId: workspace.id, ...input, by: user }),
    ),
  update: adminProcedure
    .input(which.extend({ name: lineInput, choices, removedChoiceIds: z.array(z.uuid()).max(CHOICES_MAX) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateField({ workspaceId: workspace.id, ...input, by: user }),
    ),
  move: adminProcedure
    .input(which.extend({ to: z.enum(['up', 'down']) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      moveField({ workspaceId: workspace.id, ...input, by: user }),
    ),
  delete: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteField({ workspaceId: workspace.id, ...input, by: user }),
    ),
});

/** Returns the values of a conversation that a teammate sees. Any other has none. */
function readConversationFields(
  db: ReadDb,
  { workspaceId, id, ...view }: MemberView & { workspaceId: string; id: string },
): Promise<FieldValues> {
  const ownerId = Prisma.sql`(select c.id from conversations c
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid and ${isReadableBy(view)})`;
  return readFieldValues(db, { workspaceId, subject: 'conversation', ownerId });
}

/** @throws Refusal when the workspace has no such field */
async function getUsage(which: { workspaceId: string; fieldId: string }): Promise<FieldUsage> {
  const found = isUuid(which.fieldId) ? await countFieldValues({ ...which, max: COUNTED_MAX }) : null;
  if (!found) throw notFound('The field');
  return {
    values: shown(found.values),
    savedReplies: found.savedReplies,
    choices: Object.fromEntries(found.choices.map(({ id, count }) => [id, shown(count)])),
  };
}
