import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { refusalIn } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { refuseCommand } from '#server/inbox/commands/refuse-command.ts';
import { parsePendingFiles } from '#server/inbox/messages/cancel-reply.ts';
import { findAuthorAndAssignee } from '#server/inbox/messages/record-outcome.ts';
import { saveReply } from '#server/inbox/messages/save-reply.ts';
import { addNotifications } from '#server/teammates/add-notifications.ts';

/**
 * Makes a scheduled reply a message, when the time to undo it is over. The row goes in the very transaction in
 * which the message comes, so however often and wherever this runs, the reply is written once; another job
 * sends it. One that was undone is not there any more. What the domain refuses stays as it was written, with
 * the reason, for someone to take up, and its author and the assignee are notified. A fault is thrown, and
 * the job runs again.
 */
export async function sendPendingReply(id: string): Promise<void> {
  try {
    await inTransaction((tx) => makeMessage(tx, id));
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    log().info({ pendingReplyId: id, reason: refusal.refusal }, 'reply.failed');
    await inTransaction((tx) => markFailed(tx, { id, problem: refusal.message }));
  }
}

type Taken = {
  workspaceId: string;
  conversationId: string;
  content: string;
  cc: string[];
  bcc: string[];
  attachments: unknown;
  author: Teammate;
  /** When it was to be sent and to solve its conversation; null when it solves nothing. */
  solveAskedAt: Date | null;
};

/** The statement that deletes the row has it; any other waits and finds nothing. */
async function makeMessage(tx: Tx, id: string): Promise<void> {
  const [taken] = await tx.$queryRaw<Taken[]>`
    delete from pending_replies p using users u
    where p.id = ${id}::uuid and p.problem is null and u.id = p.author_id
    returning p.workspace_id as "workspaceId", p.conversation_id as "conversationId", p.content, p.cc, p.bcc,
      p.attachments,
      json_build_object('id', u.id, 'name', u.name, 'email', u.email) as author,
      case when p.solves then p.created_at end as "solveAskedAt"`;
  if (!taken) return;
  const { workspaceId, conversationId, content, cc, bcc, author, solveAskedAt } = taken;
  // Held by a version of the service that did not refuse it yet.
  await refuseCommand(tx, { workspaceId, content });
  const actor = { kind: 'teammate' as const, teammate: author };
  await saveReply(tx, {
    workspaceId,
    id: conversationId,
    actor,
    content,
    cc,
    bcc,
    files: parsePendingFiles(taken.attachments),
    sends: 'job',
    solveAskedAt,
  });
}

type FailedReply = { workspaceId: string; conversationId: string; authorId: string; authorName: string };

async function markFailed(tx: Tx, { id, problem }: { id: string; problem: string }): Promise<void> {
  const [kept] = await tx.$queryRaw<FailedReply[]>`
    update pending_replies p set problem = ${problem} from users u
    where p.id = ${id}::uuid and p.problem is null and u.id = p.author_id
    returning p.workspace_id as "workspaceId", p.conversation_id as "conversationId", p.author_id as "authorId",
      u.name as "authorName"`;
  if (!kept) return;
  const { workspaceId, conversationId, authorId, authorName } = kept;
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
  const { assigneeId } = await tx.conversation.findUniqueOrThrow({
    where: { id: conversationId },
    select: { assigneeId: true },
  });
  const recipients = await findAuthorAndAssignee(tx, { workspaceId, authorId, assigneeId });
  await addNotifications(tx, {
    workspaceId,
    conversationId,
    actor: { kind: 'automatic' },
    notifications: recipients.map((userId) => ({
      userId,
      kind: 'reply_not_sent',
      data: { why: problem, byName: userId === authorId ? null : authorName },
    })),
    now: new Date(),
  });
}
