import { v7 as uuidv7 } from 'uuid';
import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { ALWAYS } from '#server/core/database/statement-parts.ts';
import { jobRow, startMovingJobs } from '#server/core/jobs/outbox.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { SendStatus } from '#server/generated/prisma/enums.ts';
import type { OutgoingTemplate } from '#server/inbox/channels/channel-adapter.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { type Actor, AI_AGENT_NAME, actorColumns } from '#server/teammates/actor.ts';

/** A message as it was saved. */
export type SavedMessage = {
  id: string;
  conversationId: string;
  content: string;
  createdAt: Date;
  sendStatus: SendStatus | null;
};

type NewMessage = {
  workspaceId: string;
  conversationId: string;
  actor: Actor;
  content: string;
  sendStatus: SendStatus | null;
  solveAskedAt?: Date | null;
  template?: OutgoingTemplate | null;
  cc?: string[];
  bcc?: string[];
  files?: StoredFile[];
  now: Date;
};

/**
 * Saves a message to a contact in its conversation. Nothing leaves here: `queued` waits for a job, `sending` for
 * the caller to send it once this transaction is committed.
 */
export async function saveOutgoingMessage(tx: Tx, given: NewMessage): Promise<SavedMessage> {
  const { message, statement } = outgoingMessage(given);
  await tx.$executeRaw(statement);
  const { workspaceId, files = [], now } = given;
  await linkFiles(tx, { workspaceId, messageId: message.id, files, now });
  return message;
}

/**
 * The same as a statement, to be a part of a larger one; its files are to be linked once it ran.
 * @param when what must hold for it to be written
 */
export function outgoingMessage(
  given: NewMessage,
  when: Prisma.Sql = ALWAYS,
): { message: SavedMessage; statement: Prisma.Sql } {
  const { conversationId, content, sendStatus, now, template = null, cc = [], bcc = [], files = [] } = given;
  const { actorKind, actorId, actorName, connectionId } = actorColumns(given.actor);
  const id = uuidv7();
  const statement = Prisma.sql`
    insert into messages (id, workspace_id, conversation_id, direction, author_kind, author_id, author_name, connection_id,
      content, send_status, send_started_at, solve_asked_at, template, cc, bcc, attachments_count, created_at)
    select ${id}::uuid, ${given.workspaceId}::uuid, ${conversationId}::uuid, 'outbound', ${actorKind}::actor_kind,
      ${actorId}::uuid, ${actorKind === 'ai_agent' ? AI_AGENT_NAME : actorName}::text, ${connectionId}::uuid, ${content}::text,
      ${sendStatus}::send_status, ${sendStatus === 'sending' ? now : null}::timestamptz,
      ${given.solveAskedAt ?? null}::timestamptz, ${template && JSON.stringify(template)}::jsonb, ${cc}::text[], ${bcc}::text[],
      ${files.length}::int, ${now}::timestamptz
    where ${when}`;
  return { message: { id, conversationId, content, createdAt: now, sendStatus }, statement };
}

/**
 * Has a message that was saved as `queued` sent by a job. One job at a time for each message: the one that is queued to
 * send it again ends what is left of an earlier one, so that no two of them judge each other's sending.
 */
export async function queueSend(
  tx: Tx,
  messageId: string,
  options: { inSeconds?: number } = {},
): Promise<void> {
  await tx.$executeRaw(sendJobRow(messageId, ALWAYS, options));
  afterCommit(tx, startMovingJobs);
}

/**
 * The same as a statement, to be a part of a larger one; after its commit comes `startMovingJobs`.
 * @param when what must hold for it to be queued
 */
export function sendJobRow(
  messageId: string,
  when: Prisma.Sql,
  { inSeconds = 0 }: { inSeconds?: number } = {},
): Prisma.Sql {
  return jobRow('send-message', { messageId }, { key: `send-message:${messageId}`, inSeconds }, when);
}
