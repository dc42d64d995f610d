import { v7 as uuidv7 } from 'uuid';
import type { FormattedText } from '#server/contract/formatted-text.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { jobRow, startMovingJobs } from '#server/core/jobs/outbox.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel, SendStatus } from '#server/generated/prisma/enums.ts';
import type { OutgoingTemplate } from '#server/inbox/channels/channel-adapter.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { type Actor, AI_AGENT_NAME, authorColumns } from '#server/teammates/actor.ts';

export type SavedMessage = {
  id: string;
  conversationId: string;
  content: string;
  createdAt: Date;
  sendStatus: SendStatus | null;
};

type NewMessage = {
  /** Id of the pending reply that becomes this message. */
  id?: string | undefined;
  workspaceId: string;
  conversationId: string;
  actor: Actor;
  content: string;
  formatted?: FormattedText | null;
  sendStatus: SendStatus | null;
  solveAskedAt?: Date | null;
  template?: OutgoingTemplate | null;
  /** Recipients of an email, if they are not the contact. */
  mailTo?: string[];
  cc?: string[];
  bcc?: string[];
  files?: StoredFile[];
  /** Makes the message a forward of another message, by email to this address. */
  forward?: { messageId: string; to: string } | null;
  now: Date;
};

/**
 * Returns a message to a contact and the statement that inserts it. Does not send: a job sends a `queued` message, and
 * the caller sends a `sending` one after the commit.
 */
export function outgoingMessage(draft: NewMessage): { message: SavedMessage; insert: Prisma.Sql } {
  const {
    conversationId,
    content,
    formatted = null,
    sendStatus,
    now,
    template = null,
    mailTo = [],
    cc = [],
    bcc = [],
    files = [],
    forward = null,
  } = draft;
  const author = authorColumns(draft.actor);
  const id = draft.id ?? uuidv7();
  const insert = Prisma.sql`
    insert into messages (id, workspace_id, conversation_id, direction, author_kind, author_id, author_name, connection_id,
      api_token_id, program_name, content, formatted, send_status, send_started_at, solve_asked_at, template, cc, bcc, attachments_count, forwarded_id, mail_to, created_at)
    values (${id}::uuid, ${draft.workspaceId}::uuid, ${conversationId}::uuid,
      ${forward ? 'forward' : 'outbound'}::message_direction, ${author.authorKind}::actor_kind,
      ${author.authorId}::uuid, ${author.authorKind === 'ai_agent' ? AI_AGENT_NAME : author.authorName}::text,
      ${author.connectionId}::uuid, ${author.apiTokenId}::uuid, ${author.programName}::text, ${content}::text, ${formatted && JSON.stringify(formatted)}::json,
      ${sendStatus}::send_status, ${sendStatus === 'sending' ? now : null}::timestamptz,
      ${draft.solveAskedAt ?? null}::timestamptz, ${template && JSON.stringify(template)}::jsonb, ${cc}::text[], ${bcc}::text[],
      ${files.filter(({ inline }) => !inline).length}::int, ${forward?.messageId ?? null}::uuid, ${forward ? [forward.to] : mailTo}::text[], ${now}::timestamptz)`;
  return { message: { id, conversationId, content, createdAt: now, sendStatus }, insert };
}

/** `channel`: channel on which the message is sent. */
type SendOptions = { channel: Channel; inSeconds?: number };

/**
 * Queues the job that sends a `queued` message. A message has one such job at a time, which replaces an earlier one. Two
 * jobs could mark each other's sending as interrupted.
 */
export async function queueSend(tx: SqlDb, messageId: string, options: SendOptions): Promise<void> {
  await tx.$executeRaw(sendJob(messageId, options));
  afterCommit(tx, startMovingJobs);
}

/**
 * Returns the statement of `queueSend`, as part of a larger one. Only email is sent in the pool of outgoing mail: a mail server
 * that hangs must not delay the replies in chats.
 */
export function sendJob(messageId: string, { channel, inSeconds = 0 }: SendOptions): Prisma.Sql {
  const task = channel === 'email' ? 'send-message' : 'send-chat-message';
  return jobRow(task, { messageId }, { key: `send-message:${messageId}`, inSeconds });
}
