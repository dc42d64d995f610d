import type { DemoFile } from '#prisma/seed/demo-files.ts';
import { known } from '#prisma/seed/known.ts';
import { newId } from '#prisma/seed/new-id.ts';
import { stopClock } from '#prisma/seed/sla-clocks.ts';
import type { Step } from '#prisma/seed/steps.ts';
import {
  assign,
  changeStatus,
  doerColumns,
  isTeammate,
  justAfter,
  type Story,
  teammateOf,
} from '#prisma/seed/story.ts';
import type { SendStatus } from '#server/generated/prisma/enums.ts';
import { PLANS } from '#server/teammates/plans.ts';

/** Adds a message of the contact. Reopens a pending or solved conversation. */
export function sayAsContact(story: Story, step: Extract<Step, { kind: 'says' }>, at: Date): void {
  const columns = messageColumns(story, at, step.text);
  story.rows.messages.push({
    ...columns,
    direction: 'inbound',
    authorKind: 'contact',
    attachmentsCount: step.files.length,
    senderVerified: story.data.channel === 'email' ? true : null,
  });
  for (const file of step.files) attachFile(story, columns, file);
  noteReceived(story, at);
  story.waitingSince = (story.status === 'solved' ? null : story.waitingSince) ?? at;
  if (story.status !== 'open') changeStatus(story, justAfter(at), 'automatic', 'open');
}

/** Stores a file in the database and attaches it to a message. */
function attachFile(
  { rows }: Story,
  { id: messageId, workspaceId, createdAt }: { id: string; workspaceId: string; createdAt: Date },
  { content, ...file }: DemoFile,
): void {
  const id = newId(createdAt);
  const sizeBytes = content.length;
  rows.storedFiles.push({ id, workspaceId, store: 'database', sizeBytes, createdAt });
  rows.fileChunks.push({ fileId: id, position: 0, content: Uint8Array.from(content) });
  rows.attachments.push({ id, fileId: id, workspaceId, messageId, ...file, sizeBytes, createdAt });
}

/** Records on the channel account or the mailbox that it received a message, as a webhook and the mail listener do. */
function noteReceived({ rows, made, data, workspace }: Story, at: Date): void {
  if (data.channel === 'email') {
    const mailboxId = known(made.mailboxes, data.mailbox ?? workspace.mailboxes[0]);
    const mailbox = rows.mailboxes.find(({ id }) => id === mailboxId);
    if (mailbox) mailbox.lastReceivedAt = latest(mailbox.lastReceivedAt, at);
    return;
  }
  const accountId = data.isTest ? null : made.channels.accountId(data.channel);
  const account = rows.channelAccounts.find(({ id }) => id === accountId);
  if (!account) return;
  account.webhookCalledAt ??= account.createdAt ?? at;
  account.lastReceivedAt = latest(account.lastReceivedAt, at);
}

function latest(before: string | Date | null | undefined, at: Date): Date {
  return before && new Date(before) > at ? new Date(before) : at;
}

/** Adds a message of the team. A teammate's reply assigns an unassigned conversation and silences the AI agent. */
export function addMessage(story: Story, step: Extract<Step, { kind: 'replies' }>, at: Date): void {
  const { actorKind, actorId, actorName } = doerColumns(story, step.by);
  const sendStatus = sendStatusOf(story, step.failed);
  story.rows.messages.push({
    ...messageColumns(story, at, step.text),
    direction: 'outbound',
    authorKind: actorKind,
    authorId: actorId,
    authorName: actorName ?? (actorKind === 'ai_agent' ? 'AI agent' : null),
    sendStatus,
    deliveryError: step.failed,
  });
  story.waitingSince = null;
  if (!isTeammate(step.by)) return;
  story.aiAgentSilenced = true;
  if (sendStatus === null || sendStatus === 'sent') stopClock(story.clocks, 'first_response', at);
  if (!story.assignee) assign(story, justAfter(at), step.by, teammateOf(story, step.by));
}

function messageColumns(story: Story, at: Date, content: string) {
  story.lastMessageAt = at;
  return { id: newId(at), workspaceId: story.made.id, conversationId: story.id, content, createdAt: at };
}

/** Email reports the outcome, other demo channels only refusals. */
function sendStatusOf({ data, workspace }: Story, failed: string | null): SendStatus | null {
  if (failed) return 'failed';
  if (data.channel !== 'email') return null;
  return PLANS[workspace.plan].emailSending && workspace.domain.verified ? 'sent' : 'held_for_paywall';
}
