import { validate as isUuid, MAX } from 'uuid';
import type { Db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/** A message in the outbox of a test workspace, as a list shows it. */
export type OutboxRow = {
  id: string;
  channel: Channel;
  recipients: string[];
  subject: string | null;
  /** Start of the text. */
  start: string;
  createdAt: Date;
};

/** Parts of a message that only the opened one shows. */
export type OutboxDetails = {
  id: string;
  sender: string;
  cc: string[];
  bcc: string[];
  content: string;
  fileNames: string[];
};

const PAGE_SIZE = 50;
/** Length of the text that the list shows, in characters. */
const START_LENGTH = 200;

/**
 * Returns a page of the outbox of a workspace, newest first. Only that of a test workspace has messages.
 * @param before id of the last message of the page before
 */
export async function listOutbox(
  db: Pick<Db, '$queryRaw'>,
  { workspaceId, before }: { workspaceId: string; before: string | undefined },
): Promise<{ messages: OutboxRow[]; older: string | null }> {
  const messages = await db.$queryRaw<OutboxRow[]>`
    select id, channel, recipients, subject, left(content, ${START_LENGTH}::int) as start, created_at as "createdAt"
    from outbox_messages
    where workspace_id = ${workspaceId}::uuid and id < ${isUuid(before) ? before : MAX}::uuid
    order by id desc limit ${PAGE_SIZE + 1}::int`;
  const shown = messages.slice(0, PAGE_SIZE);
  return { messages: shown, older: messages.length > PAGE_SIZE ? (shown.at(-1)?.id ?? null) : null };
}

/** Returns a message of the outbox with its text, or null. */
export async function getOutboxMessage(
  db: Pick<Db, 'outboxMessage'>,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<OutboxDetails | null> {
  if (!isUuid(id)) return null;
  return db.outboxMessage.findFirst({
    where: { workspaceId, id },
    select: { id: true, sender: true, cc: true, bcc: true, content: true, fileNames: true },
  });
}

/** Removes messages of outboxes after `HISTORY_DAYS`. Returns how many. */
export function removeOldOutboxMessages(): Promise<number> {
  const { HISTORY_DAYS } = settings();
  return removeInBatches(`
    delete from outbox_messages where id in (
      select id from outbox_messages where created_at < now() - make_interval(days => ${HISTORY_DAYS})
      limit ${BATCH_ROWS} for update skip locked
    )`);
}
