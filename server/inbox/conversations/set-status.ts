import { invalid } from '#server/core/errors.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { ClockChange } from '#server/inbox/conversations/sla-clocks.ts';

/** What becomes of the time limits when a conversation gets a status. */
const CLOCKS: Record<ConversationStatus, ClockChange> = {
  open: 'resume',
  pending: 'pause',
  solved: 'stop',
  closed: 'stop',
};

/**
 * What is wrong with a change of status, or undefined: nothing leaves `closed`; the others change freely
 * (decisions: conversations and contacts, 1).
 */
export function statusProblem(from: ConversationStatus, to: ConversationStatus): string | undefined {
  if (from !== 'closed' || to === 'closed') return undefined;
  return `The status cannot change from closed to ${to}: a closed conversation stays closed. Only open, pending and solved conversations can change.`;
}

/**
 * Sets the status of a conversation; the one it already has changes nothing. Emits `conversation.status_changed`.
 * @throws Refusal when the change is impossible
 */
export function setStatus(
  { status: from }: Pick<LockedConversation, 'status'>,
  { status: to, now }: { status: ConversationStatus; now: Date },
): Change {
  if (from === to) return changeOf();
  const problem = statusProblem(from, to);
  if (problem) throw invalid({ status: [problem] });
  return changeOf({
    columns: { status: to, statusChangedAt: now, ...(to === 'solved' ? { resolvedAt: now } : {}) },
    entries: [{ kind: 'status_changed', data: { from, to } }],
    events: [{ key: 'conversation.status_changed', details: { previous_status: from } }],
    clocks: [CLOCKS[to]],
  });
}
