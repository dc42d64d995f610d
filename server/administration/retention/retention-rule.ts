import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asOwner } from '#server/teammates/require-role.ts';

/** Bounds on each number of days. Events, updates of providers and notifications of a shorter time would still exist. */
export const RETENTION_DAYS = { min: 30, max: 3_650 };

/** Time in which a stricter rule can be changed before anything is deleted. */
const HOURS_TO_CHANGE = 24;

/** Days after which data is deleted. Null: it is stored. `anonymizes`: conversations are anonymized instead of deleted. */
export type Retention = {
  conversationDays: number | null;
  anonymizes: boolean;
  fileDays: number | null;
  auditDays: number | null;
};

const DAYS = ['conversationDays', 'fileDays', 'auditDays'] as const;
const STORED: Retention = { conversationDays: null, anonymizes: false, fileDays: null, auditDays: null };
const SELECT = { conversationDays: true, anonymizes: true, fileDays: true, auditDays: true, startsAt: true };

/** Returns the rule of a workspace and when it starts. Without a rule everything is stored. */
export async function getRetention(
  db: Db,
  workspaceId: string,
): Promise<Retention & { startsAt: Date | null }> {
  const rule = await db.retentionRule.findUnique({ where: { workspaceId }, select: SELECT });
  return rule ?? { ...STORED, startsAt: null };
}

/**
 * Sets the rule of a workspace, for an owner who typed its name. A rule that deletes more starts `HOURS_TO_CHANGE` later, and until
 * then nothing is deleted. Does nothing when the rule is the same.
 * @throws Refusal unless `by` is an owner, the days are within their bounds and the name is typed as it is written
 */
export async function setRetention(change: {
  workspaceId: string;
  retention: Retention;
  typed: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, typed, by } = change;
  const retention = checked(change.retention);
  await asOwner(change, async (tx) => {
    const where = { id: workspaceId };
    const { name } = await tx.workspace.findUniqueOrThrow({ where, select: { name: true } });
    if (typed.trim() !== name.trim())
      throw invalid({ typed: [`Type the workspace name exactly as it is written: ${name}`] });
    const before = await getRetention(tx, workspaceId);
    const changed = [...DAYS, 'anonymizes' as const].filter((field) => before[field] !== retention[field]);
    if (changed.length === 0) return;
    const startsAt =
      before.startsAt === null || isStricter(before, retention)
        ? new Date(Date.now() + HOURS_TO_CHANGE * 3_600_000)
        : before.startsAt;
    const data = { ...retention, startsAt };
    await tx.retentionRule.upsert({
      where: { workspaceId },
      create: { workspaceId, ...data },
      update: data,
      select: { workspaceId: true },
    });
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'retention_changed',
      by,
      data: {
        mode: retention.anonymizes ? 'anonymize' : 'delete',
        ...Object.fromEntries(DAYS.map((field) => [field, String(retention[field] ?? '')])),
      },
    });
  });
}

/** Returns the rule, without a mode for conversations that are stored. */
export function checked(retention: Retention): Retention {
  const { min, max } = RETENTION_DAYS;
  const isValid = (days: number | null) =>
    days === null || (Number.isInteger(days) && days >= min && days <= max);
  const problems: FieldErrors = Object.fromEntries(
    DAYS.filter((field) => !isValid(retention[field])).map((field) => [
      field,
      [`Enter a whole number of days from ${min} to ${max}.`],
    ]),
  );
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return { ...retention, anonymizes: retention.anonymizes && retention.conversationDays !== null };
}

/** Returns whether a rule deletes something that the rule before does not, or deletes it in another way. */
function isStricter(before: Retention, after: Retention): boolean {
  const deletesMore = DAYS.some((field) => (after[field] ?? Infinity) < (before[field] ?? Infinity));
  return deletesMore || (after.conversationDays !== null && after.anonymizes !== before.anonymizes);
}
