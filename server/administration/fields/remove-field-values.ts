import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Values per transaction, so that none holds its locks for long. */
const BATCH = 1_000;
/** Time limit of one job in ms; another job continues after that. */
const TIME_LIMIT_MS = 10_000;

/** Removes up to a thousand values of a deleted field, or of its deleted choices. A job removes the rest. */
export async function startRemovingValues(tx: Tx, fieldId: string): Promise<void> {
  if (!(await removeBatch(tx, fieldId))) await queueJob(tx, 'remove-field-values', { fieldId });
}

/**
 * Removes the remaining values of a deleted field, then the field, or those of its deleted choices. Continues in another job after the
 * time limit, and can run again at any time.
 */
export async function removeFieldValues(
  { fieldId }: { fieldId: string },
  timeLimitMs: number = TIME_LIMIT_MS,
): Promise<void> {
  const until = performance.now() + timeLimitMs;
  while (!(await inTransaction((tx) => removeBatch(tx, fieldId)))) {
    if (performance.now() > until) {
      await inTransaction((tx) => queueJob(tx, 'remove-field-values', { fieldId }));
      return;
    }
  }
}

/** Removes a batch, and the deleted field or choices once they have no values. Returns whether nothing is left. */
async function removeBatch(tx: Tx, fieldId: string): Promise<boolean> {
  // Two jobs would each remove some of the values, and then wait for each other to remove the field.
  await tx.$executeRaw`select from custom_fields where id = ${fieldId}::uuid for update`;
  const field = await tx.customField.findUnique({
    where: { id: fieldId },
    select: { deletedAt: true, choices: { where: { deletedAt: { not: null } }, select: { id: true } } },
  });
  if (!field) return true;
  const choiceIds = field.choices.map(({ id }) => id);
  if (field.deletedAt === null && choiceIds.length === 0) return true;
  const ofChoices =
    field.deletedAt === null ? Prisma.sql`and choice_id = any(${choiceIds}::uuid[])` : Prisma.empty;
  for (const table of [Prisma.raw('contact_field_values'), Prisma.raw('conversation_field_values')]) {
    const removed = await tx.$executeRaw`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where field_id = ${fieldId}::uuid ${ofChoices} limit ${BATCH}::int for update skip locked))`;
    if (removed === BATCH) return false;
  }
  // Removes with them what was skipped, because somebody was changing it.
  if (field.deletedAt === null) await tx.fieldChoice.deleteMany({ where: { id: { in: choiceIds } } });
  else await tx.customField.deleteMany({ where: { id: fieldId } });
  return true;
}
