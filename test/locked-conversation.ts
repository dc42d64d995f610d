import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';

/** A conversation as rules of a change see it, for unit tests; it has no row. */
export function lockedConversation(columns: Partial<LockedConversation> = {}): LockedConversation {
  return {
    id: 'conversation',
    workspaceId: 'workspace',
    status: 'open',
    priority: 'normal',
    channel: 'email',
    contactId: null,
    mailboxId: null,
    mergedIntoId: null,
    isTest: false,
    wasSolved: false,
    assignee: null,
    team: null,
    assignOnReply: true,
    aiAgentSilenced: false,
    aiAgentEnabled: false,
    ...columns,
  };
}
