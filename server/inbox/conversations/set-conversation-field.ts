import { lockField } from '#server/contacts/custom-fields.ts';
import {
  describeFieldValue,
  parseFieldValue,
  readFieldValues,
  valueStatement,
} from '#server/contacts/field-values.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Sets a conversation's value of a custom field. The last one of simultaneous changes remains, and the timeline shows all. An equal
 * value changes nothing. Emits no event: custom fields are not part of the platform's contract.
 * @param change.value as typed. An empty text empties the field
 * @throws Refusal when the conversation or field does not exist, the conversation was merged or removed, or the value is not of the
 *   field's type
 */
export async function setConversationField(change: {
  workspaceId: string;
  id: string;
  fieldId: string;
  value: string;
  actor: Actor;
}): Promise<void> {
  const { workspaceId, id, fieldId, actor } = change;
  await sqlTransaction(async (tx) => {
    const field = await lockField(tx, { workspaceId, fieldId, subject: 'conversation' });
    const value = parseFieldValue(field, change.value);
    const conversation = await lockForChange(tx, { workspaceId, id, actor });
    const owner = { workspaceId, subject: 'conversation' as const, ownerId: conversation.id };
    const ownerId = Prisma.sql`${conversation.id}::uuid`;
    const before = (await readFieldValues(tx, { ...owner, ownerId }))[field.id] ?? null;
    if (before === value) return;
    const now = new Date();
    const shown = (each: string | null) => (each === null ? null : describeFieldValue(field, each));
    const data = { fieldName: field.name, from: shown(before), to: shown(value) };
    await persistChange(tx, conversation, {
      actor,
      change: changeOf({
        entries: [{ kind: 'field_set', data }],
        rows: [valueStatement(owner, { field, value, now })],
      }),
      now,
    });
  });
}
