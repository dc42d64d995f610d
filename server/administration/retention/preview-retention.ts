import { dueBefore, IS_DUE_FILE, isDueConversation } from '#server/administration/retention/due-rows.ts';
import { checked, type Retention } from '#server/administration/retention/retention-rule.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { type ShownCount, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Rows that a preview counts at most, of each kind. */
const PREVIEW_MAX = 100_000;

/** Numbers of what the first night of a rule would delete or anonymize, each up to `PREVIEW_MAX`. */
export type RetentionPreview = { conversations: ShownCount; files: ShownCount; auditEntries: ShownCount };

/**
 * Returns what the first night of a rule would delete, if it were saved now. Changes nothing.
 * @throws Refusal when a number of days is out of its bounds
 */
export async function previewRetention(
  db: Db,
  { workspaceId, retention }: { workspaceId: string; retention: Retention },
): Promise<RetentionPreview> {
  const { conversationDays, anonymizes, fileDays, auditDays } = checked(retention);
  const id = Prisma.sql`${workspaceId}::uuid`;
  const count = (days: number | null, from: (before: string) => Prisma.Sql) => {
    if (days === null) return Prisma.sql`0`;
    const before = dueBefore(String(days), `(now() + interval '1 day')`);
    return Prisma.sql`(select count(*)::int from (select ${from(before)} limit ${PREVIEW_MAX + 1}::int) counted)`;
  };
  const isNew = Prisma.raw(anonymizes ? 'and c.anonymized_at is null' : '');
  const [found] = await db.$queryRaw<Record<keyof RetentionPreview, number>[]>`
    select ${count(
      conversationDays,
      (before) => Prisma.sql`from conversations c where c.workspace_id = ${id} ${isNew}
        and ${Prisma.raw(isDueConversation(before))}`,
    )} as conversations, ${count(
      fileDays,
      (
        before,
      ) => Prisma.sql`from attachments a where a.workspace_id = ${id} and a.created_at < ${Prisma.raw(before)}
        and ${Prisma.raw(IS_DUE_FILE)}`,
    )} + ${count(
      fileDays,
      (before) => Prisma.sql`from messages m where m.workspace_id = ${id} and m.original_file_id is not null
        and m.created_at < ${Prisma.raw(before)}`,
    )} + ${count(
      fileDays,
      (before) =>
        Prisma.sql`from note_files f where f.workspace_id = ${id} and f.created_at < ${Prisma.raw(before)}`,
    )} as files, ${count(
      auditDays,
      (before) =>
        Prisma.sql`from audit_entries a where a.workspace_id = ${id} and a.created_at < ${Prisma.raw(before)}`,
    )} as "auditEntries"`;
  const toShow = (found = 0) => shown(found, false, PREVIEW_MAX);
  return {
    conversations: toShow(found?.conversations),
    files: toShow(found?.files),
    auditEntries: toShow(found?.auditEntries),
  };
}
