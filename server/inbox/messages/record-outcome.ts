import { afterCommit } from '#server/core/database/after-commit.ts';
import { writePlanned } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { settings } from '#server/core/env.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ActorKind, Channel } from '#server/generated/prisma/enums.ts';
import type { SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import { type LockedConversation, lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { clockStatement } from '#server/inbox/conversations/sla-clocks.ts';
import { queueSend } from '#server/inbox/messages/outgoing-message.ts';
import { reopenUnanswered } from '#server/inbox/messages/reopen-unanswered.ts';
import { planReplyEvent } from '#server/inbox/messages/reply-events.ts';
import { solveAsAsked } from '#server/inbox/messages/save-reply.ts';
import { addNotifications } from '#server/teammates/add-notifications.ts';

export type OutcomeOptions = {
  /** False if a caller waits for the outcome and gets it in the response: a failure notifies no one. */
  notifies?: boolean;
  /** Records the outcome only if sending started before this time. */
  startedBefore?: Date;
};

/**
 * Records the outcome of a message with the status `sending`, and notifies open pages. Messages with another status do
 * not change. A deferred message is queued again, up to the last attempt.
 *
 * A sent message of a teammate or workflow stops the first response clock, and solves the conversation if requested. A
 * failed answer of the AI agent reopens the conversation. For any failed message, notifies the author and the assignee.
 * Emits `reply.sent` or `reply.failed` for programs. Locks the conversation first, the usual lock order.
 * @returns whether this call recorded the outcome
 */
export async function recordOutcome(
  id: string,
  outcome: SendOutcome,
  { notifies = true, startedBefore }: OutcomeOptions = {},
): Promise<boolean> {
  const message = await db().message.findUnique({ where: { id }, select: outcomeSelect });
  if (!message) return false;
  const { workspaceId, conversationId } = message;
  return sqlTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    if (outcome.status === 'deferred') {
      const channel = message.direction === 'forward' ? 'email' : conversation.record.channel;
      const state = await deferMessage(tx, id, channel);
      if (state === 'deferred') afterCommit(tx, () => publish(workspaceId, 'conversations'));
      if (state !== 'exhausted') return false;
    }
    const before = startedBefore ?? null;
    const recorded = await tx.$executeRaw`
      update messages set ${outcomeColumns(outcome)}
      where id = ${id}::uuid and send_status = 'sending'
        and (${before}::timestamptz is null or send_started_at < ${before}::timestamptz)`;
    if (recorded === 0) return false;
    const now = new Date();
    if (outcome.status === 'sent' || outcome.status === 'unreported') {
      const sendStatus = outcome.status === 'sent' ? 'sent' : null;
      await finishSent(tx, { conversation, message, sendStatus, now });
    } else {
      await recordFailure(tx, { conversation, message, why: outcome.reason, now });
      await reopenUnanswered(tx, { conversation, message, now });
      if (notifies) await notifyOfFailure(tx, { conversation, message, why: outcome.reason, now });
    }
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return true;
  });
}

/** The Prisma selection that `finishSent`, `recordFailure` and `notifyOfFailure` need. */
export const outcomeSelect = {
  id: true,
  workspaceId: true,
  conversationId: true,
  authorKind: true,
  direction: true,
  authorId: true,
  authorName: true,
  author: { select: { id: true, name: true, email: true } },
  solveAskedAt: true,
  content: true,
  createdAt: true,
  connectionId: true,
  apiTokenId: true,
  programName: true,
} satisfies Prisma.MessageSelect;

/** Authors whose sent reply stops the first response clock. */
const ANSWERERS = new Set<ActorKind>(['teammate', 'workflow', 'program']);

type OutcomeMessage = Prisma.MessageGetPayload<{ select: typeof outcomeSelect }>;

/**
 * Updates the locked conversation after a message was sent. Emits `reply.sent`. For a message of a teammate, workflow or program,
 * stops the first response clock, and solves the conversation if the author requested that.
 */
export async function finishSent(
  tx: SqlDb,
  sent: {
    conversation: LockedConversation;
    message: OutcomeMessage;
    /** Null on a channel that reports nothing. */
    sendStatus: 'sent' | null;
    now: Date;
  },
): Promise<void> {
  const { conversation, message, now } = sent;
  const { conversationId, direction, authorKind, author, solveAskedAt } = message;
  const isAnswer = direction === 'outbound' && ANSWERERS.has(authorKind);
  const event = planReplyEvent(sent);
  const clock = isAnswer ? clockStatement('first_response_given', { conversationId, now }) : null;
  await writePlanned(tx, { ...event, parts: { ...event.parts, clock } });
  if (!isAnswer || author === null) return;
  const change = await solveAsAsked(tx, conversation, { askedAt: solveAskedAt, now });
  await persistChange(tx, conversation, { actor: { kind: 'teammate', teammate: author }, change, now });
}

/** Emits `reply.failed` for a message that was not delivered. */
export async function recordFailure(
  tx: SqlDb,
  { why, ...failed }: { conversation: LockedConversation; message: OutcomeMessage; why: string; now: Date },
): Promise<void> {
  await writePlanned(tx, planReplyEvent({ ...failed, sendStatus: 'failed', deliveryError: why }));
}

function outcomeColumns(outcome: SendOutcome): Prisma.Sql {
  if (outcome.status === 'unreported') return Prisma.sql`send_status = null`;
  const columns =
    outcome.status === 'sent'
      ? Prisma.sql`send_status = 'sent', external_id = ${outcome.externalId}::text, undelivered_to = '{}'`
      : Prisma.sql`send_status = 'failed', delivery_error = ${outcome.reason}::text`;
  const { providerIds } = outcome;
  const undeliveredTo = outcome.status === 'failed' ? outcome.undeliveredTo : undefined;
  return Prisma.sql`${columns}
    ${providerIds ? Prisma.sql`, provider_ids = ${providerIds}::text[]` : Prisma.empty}
    ${undeliveredTo ? Prisma.sql`, undelivered_to = ${undeliveredTo}::text[]` : Prisma.empty}`;
}

/**
 * Queues a `sending` message again, after the next delay of `MAIL_RETRY_DELAYS` (docs/rulings.md 3.21). The caller has
 * locked the conversation.
 * @returns `deferred`; `exhausted` after the last attempt, without a change; `settled` if the message is not `sending`
 */
async function deferMessage(
  tx: SqlDb,
  id: string,
  channel: Channel,
): Promise<'deferred' | 'exhausted' | 'settled'> {
  const [message] = await tx.$queryRaw<{ deferrals: number }[]>`
    select deferrals from messages where id = ${id}::uuid and send_status = 'sending'`;
  if (!message) return 'settled';
  const inSeconds = settings().MAIL_RETRY_DELAYS[message.deferrals];
  if (inSeconds === undefined) return 'exhausted';
  await tx.$executeRaw`
    update messages set send_status = 'queued', send_started_at = null, deferrals = deferrals + 1
    where id = ${id}::uuid`;
  await queueSend(tx, id, { channel, inSeconds });
  return 'deferred';
}

type FailedMessage = Pick<OutcomeMessage, 'id' | 'authorKind' | 'authorId' | 'authorName' | 'programName'>;

/**
 * Notifies the author, if still a member, and the assignee that a message was not delivered. Does nothing for test
 * conversations with the AI agent.
 * @param why a sentence
 * @param isDoubtful the message may have arrived
 */
export async function notifyOfFailure(
  tx: SqlDb,
  failure: {
    conversation: LockedConversation;
    message: FailedMessage;
    why: string;
    isDoubtful?: boolean;
    now: Date;
  },
): Promise<void> {
  const { conversation, message, why, isDoubtful = false, now } = failure;
  if (conversation.isTest || conversation.removal !== null) return;
  const { id: conversationId, workspaceId, record } = conversation;
  const { id: messageId, authorId } = message;
  const byName = message.authorName ?? message.programName;
  const assigneeId = record.assignee?.id ?? null;
  const recipients = await findAuthorAndAssignee(tx, { workspaceId, authorId, assigneeId });
  await addNotifications(tx, {
    workspaceId,
    conversationId,
    actor: { kind: 'automatic' },
    notifications: recipients.map((userId) => ({
      userId,
      kind: 'message_failed',
      data: { messageId, why, isYours: userId === authorId, byName, ...(isDoubtful ? { isDoubtful } : {}) },
    })),
    now,
  });
}

/** Returns the ids of the author and the assignee, without duplicates and former members. */
export async function findAuthorAndAssignee(
  tx: SqlDb,
  which: { workspaceId: string; authorId: string | null; assigneeId: string | null },
): Promise<string[]> {
  const { workspaceId, authorId, assigneeId } = which;
  const ids = [authorId, assigneeId].flatMap((id) => id ?? []);
  const members = await tx.$queryRaw<{ userId: string }[]>`
    select user_id as "userId" from members
    where workspace_id = ${workspaceId}::uuid and user_id = any (${ids}::uuid[])`;
  return members.map(({ userId }) => userId);
}
