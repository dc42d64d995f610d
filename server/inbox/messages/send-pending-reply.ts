import { type FormattedText, pictureIds } from '#server/contract/formatted-text.ts';
import { storedFormatted } from '#server/contract/parse-formatted.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { writePlanned } from '#server/core/database/planned.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { Refusal, refusalIn } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { refuseCommand } from '#server/inbox/commands/refuse-command.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { moveUnsentReplies } from '#server/inbox/conversations/merge-conversations.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { parsePendingFiles } from '#server/inbox/messages/cancel-reply.ts';
import { findAuthorAndAssignee, notifyOfFailure } from '#server/inbox/messages/record-outcome.ts';
import { saveReply } from '#server/inbox/messages/save-reply.ts';
import { wasAnswered } from '#server/inbox/messages/was-answered.ts';
import { countUses } from '#server/inbox/saved-replies/count-uses.ts';
import { authorColumns } from '#server/teammates/actor.ts';
import { addNotifications } from '#server/teammates/add-notifications.ts';
import { isAway } from '#server/teammates/away.ts';
import { ADMIN_ROLES, WORKING_ROLES } from '#server/teammates/roles.ts';

/**
 * Turns a scheduled reply into a message after the time to undo it, and the earlier replies of its conversation before: after a
 * pause of the workers, their jobs run in any order. One transaction deletes the scheduled reply,
 * inserts the message and queues its sending, so repeated and parallel runs create one message. Does nothing for a
 * cancelled reply. A refused reply stays with the reason, for a teammate to edit, and its author and the assignee, or others in their place, are
 * notified. A reply that is sent later is refused when the contact wrote after it was scheduled. Counts the uses of saved replies after the commit, so that no lock on a saved reply delays a reply.
 * @throws on other errors, so that the job is retried
 */
export async function sendPendingReply(id: string): Promise<void> {
  const earlier = await sql().$queryRaw<{ id: string }[]>`
    select e.id from pending_replies p join pending_replies e on e.conversation_id = p.conversation_id
    where p.id = ${id}::uuid and e.problem is null and e.send_at <= now() and (e.send_at, e.id) < (p.send_at, p.id)
    order by e.send_at, e.id`;
  for (const each of earlier) {
    await sendOne(each.id).catch((error: unknown) => {
      log().warn({ err: error, pendingReplyId: each.id }, 'reply.not_sent');
    });
  }
  await sendOne(id);
}

async function sendOne(id: string): Promise<void> {
  try {
    const used = await inTransaction((tx) => makeMessage(tx, id));
    if (used) await countUses(db(), used);
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    log().info({ pendingReplyId: id, reason: refusal.refusal }, 'reply.failed');
    await inTransaction(async (tx) => {
      if (!(await followMerge(tx, id))) await markFailed(tx, { id, problem: refusal.message });
    });
  }
}

type PendingReply = {
  workspaceId: string;
  conversationId: string;
  content: string;
  formatted: FormattedText | null;
  mailTo: string[];
  cc: string[];
  bcc: string[];
  attachments: unknown;
  savedReplyIds: string[];
  sendsLater: boolean;
  createdAt: Date;
  author: Teammate;
  /** Time at which the author requested to solve the conversation with the reply, or null. */
  solveAskedAt: Date | null;
};

/** The transaction that deletes the row inserts the message. Parallel ones wait for its row lock and find no row. */
async function makeMessage(
  tx: Tx,
  id: string,
): Promise<{ workspaceId: string; authorId: string; ids: string[] } | undefined> {
  const [pending] = await tx.$queryRaw<PendingReply[]>`
    delete from pending_replies p using users u
    where p.id = ${id}::uuid and p.problem is null and u.id = p.author_id
    returning p.workspace_id as "workspaceId", p.conversation_id as "conversationId", p.content, p.formatted,
      p.mail_to as "mailTo", p.cc, p.bcc,
      p.attachments, p.saved_reply_ids as "savedReplyIds", p.sends_later as "sendsLater", p.created_at as "createdAt",
      json_build_object('id', u.id, 'name', u.name, 'email', u.email) as author,
      case when p.solves then p.created_at end as "solveAskedAt"`;
  if (!pending) return undefined;
  const { workspaceId, conversationId, content, mailTo, cc, bcc, author, solveAskedAt } = pending;
  // `scheduleReply` refuses commands, but an older version of the service may have stored this reply.
  await refuseCommand(tx, { workspaceId, content });
  const actor = { kind: 'teammate' as const, teammate: author };
  const reply = await saveReply(tx, {
    workspaceId,
    id: conversationId,
    actor,
    content,
    formatted: pending.formatted,
    mailTo,
    cc,
    bcc,
    files: withShown(parsePendingFiles(pending.attachments), storedFormatted(pending.formatted)),
    sends: 'job',
    solveAskedAt,
    // The message gets the id of the pending reply, so that open pages recognize it.
    messageId: id,
  });
  // The conversation is locked now, so no message of the contact is added in the meantime.
  if (pending.sendsLater && (await wasAnswered(tx, { conversationId, since: pending.createdAt }))) {
    throw new Refusal('invalid', ANSWERED);
  }
  await writePlanned(tx, reply);
  // Its author saw no warning at that time, unlike one whose reply is sent now.
  if (pending.sendsLater && reply.result.sendStatus === 'held_for_paywall') {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const message = { id, ...authorColumns(actor) };
    await notifyOfFailure(tx, { conversation, message, why: HELD, now: new Date() });
  }
  return { workspaceId, authorId: author.id, ids: pending.savedReplyIds };
}

/** Marks the files that the text shows as pictures. */
function withShown(files: StoredFile[], formatted: FormattedText | null): StoredFile[] {
  const shown = new Set(pictureIds(formatted));
  return files.map((file) => (shown.has(file.id) ? { ...file, inline: true, contentId: file.id } : file));
}

const HELD = 'Sending email needs the Growth plan or higher and a verified email domain.';

const ANSWERED =
  'The contact wrote after it was scheduled. Read their message, then send, edit or discard the reply.';

/** Moves the reply to the conversation that its own was merged into while the reply was locked. Returns false without a merge. */
async function followMerge(tx: Tx, id: string): Promise<boolean> {
  const [merged] = await tx.$queryRaw<{ workspaceId: string; id: string; intoId: string }[]>`
    select c.workspace_id as "workspaceId", c.id, c.merged_into_id as "intoId"
    from pending_replies p join conversations c on c.id = p.conversation_id
    where p.id = ${id}::uuid and p.problem is null and c.merged_into_id is not null`;
  if (!merged) return false;
  await moveUnsentReplies(tx, { ...merged, actor: { kind: 'automatic' }, now: new Date() });
  afterCommit(tx, () => publish(merged.workspaceId, 'conversations'));
  return true;
}

type FailedReply = { workspaceId: string; conversationId: string; authorId: string; authorName: string };

async function markFailed(tx: Tx, { id, problem }: { id: string; problem: string }): Promise<void> {
  const [failed] = await tx.$queryRaw<FailedReply[]>`
    update pending_replies p set problem = ${problem} from users u
    where p.id = ${id}::uuid and p.problem is null and u.id = p.author_id
    returning p.workspace_id as "workspaceId", p.conversation_id as "conversationId", p.author_id as "authorId",
      u.name as "authorName"`;
  if (!failed) return;
  const { workspaceId, conversationId, authorId, authorName } = failed;
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
  const { assigneeId, teamId } = await tx.conversation.findUniqueOrThrow({
    where: { id: conversationId },
    select: { assigneeId: true, teamId: true },
  });
  const own = await findAuthorAndAssignee(tx, { workspaceId, authorId, assigneeId });
  const recipients = [...own, ...(await findInTheirPlace(tx, { workspaceId, teamId, userIds: own }))];
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

/**
 * Returns the ids of those who are notified because all of the others have left, are viewers or are away: the available members of the team; if there
 * are none, the available owners and admins; if there are none, all owners and admins.
 */
async function findInTheirPlace(
  tx: Tx,
  { workspaceId, teamId, userIds }: { workspaceId: string; teamId: string | null; userIds: string[] },
): Promise<string[]> {
  const found = await tx.$queryRaw<{ userId: string }[]>`
    select user_id as "userId" from (
      select user_id, dense_rank() over (order by place) as rank from (
        select m.user_id, case
          when m.role = any (${[...WORKING_ROLES]}::role[]) and not ${isAway('m')} and exists (
            select from team_members t where t.team_id = ${teamId}::uuid and t.user_id = m.user_id) then 1
          when m.role = any (${[...ADMIN_ROLES]}::role[]) then case when ${isAway('m')} then 3 else 2 end
        end as place
        from members m where m.workspace_id = ${workspaceId}::uuid
      ) placed where place is not null
    ) ranked
    where rank = 1 and user_id <> all (${userIds}::uuid[]) and not exists (
      select from members a
      where a.workspace_id = ${workspaceId}::uuid and a.user_id = any (${userIds}::uuid[])
        and a.role = any (${[...WORKING_ROLES]}::role[]) and not ${isAway('a')})`;
  return found.map(({ userId }) => userId);
}
