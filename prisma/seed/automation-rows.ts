import { timestampOf } from '#prisma/seed/ago.ts';
import type { DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { known } from '#prisma/seed/known.ts';
import { newId } from '#prisma/seed/new-id.ts';
import { plainText } from '#prisma/seed/plain-text.ts';
import type { Rows } from '#prisma/seed/rows.ts';
import type { MadeWorkspace } from '#prisma/seed/workspace-rows.ts';

/** Adds the automations, saved replies and saved answers of a workspace, as of a week after it was created. */
export function addAutomationRows(rows: Rows, data: DemoWorkspace, made: MadeWorkspace, now: Date): void {
  const createdAt = new Date(Math.min(timestampOf(now, data.since).getTime() + WEEK_MS, now.getTime()));
  const times = { workspaceId: made.id, createdAt, updatedAt: createdAt };
  for (const { name, channels, words, tags } of data.flows ?? []) {
    rows.flows.push({
      id: newId(createdAt),
      name,
      condition: { channels, words, emailDomain: null },
      actions: { tags, assigneeId: null, teamId: null, status: null },
      ...times,
    });
  }
  for (const { by, content, ...reply } of data.savedReplies ?? []) {
    const { id: createdById, name: createdByName } = known(made.teammates, by);
    const saved = { id: newId(createdAt), ...reply, content: plainText(content), createdById, createdByName };
    const lastUsedAt = new Date(now.getTime() - reply.usedCount * HOUR_MS);
    rows.savedReplies.push({ ...saved, lastUsedAt, ...times });
  }
  for (const { question, answer } of data.answers ?? []) {
    rows.savedAnswers.push({ id: newId(createdAt), question, answer: plainText(answer), ...times });
  }
}

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 86_400_000;
