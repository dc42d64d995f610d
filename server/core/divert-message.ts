import { v7 as uuidv7 } from 'uuid';
import { pool } from '#server/core/database/pools.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { publish } from '#server/core/live/publish.ts';
import { truncateText } from '#server/core/text.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/** Number of messages that the outbox of a test workspace stores, the newest ones. */
export const OUTBOX_MAX = 1_000;
/** Maximum length of a stored text, in characters. */
const CONTENT_MAX_LENGTH = 100_000;

/** A message on its way out of a workspace. Sender and recipients as a teammate reads them. */
export type DepartingMessage = {
  workspaceId: string;
  channel: Channel;
  sender: string;
  recipients: string[];
  cc?: string[];
  bcc?: string[];
  subject?: string | null;
  content: string;
  fileNames?: string[];
};

/** `$1` is the workspace. Has one row in a test workspace, also when it runs again because its response was lost, otherwise none. */
const DIVERT = {
  name: 'divert-message',
  text: `
    with test as (
      select id from workspaces where id = $1 and test_of_id is not null
    ), removed as (
      delete from outbox_messages where id in (
        select m.id from outbox_messages m join test t on t.id = m.workspace_id order by m.id desc offset ${OUTBOX_MAX - 1})
    )
    insert into outbox_messages (id, workspace_id, channel, sender, recipients, cc, bcc, subject, content, file_names)
    select $2, id, $3, $4, $5, $6, $7, $8, $9, $10 from test
    on conflict (id) do update set id = excluded.id`,
};

/**
 * Stores a message of a test workspace in its outbox. This is the only gate between a test workspace and the world: everything
 * that sends a message calls it first, and sends nothing when it returns true.
 * Waits while the database is unreachable.
 * @returns false for any other workspace, whose message is to be sent
 */
export async function divertMessage(message: DepartingMessage): Promise<boolean> {
  const {
    workspaceId,
    channel,
    sender,
    recipients,
    cc = [],
    bcc = [],
    subject = null,
    fileNames = [],
  } = message;
  const content = truncateText(message.content, CONTENT_MAX_LENGTH, '…');
  const values = [workspaceId, uuidv7(), channel, sender, recipients, cc, bcc, subject, content, fileNames];
  const { rowCount } = await retryWhileDatabaseAway(() => pool().query({ ...DIVERT, values }));
  if (rowCount !== 1) return false;
  publish(workspaceId, 'outbox');
  return true;
}
