import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from '#server/inbox/messages/incoming-message.ts';

/** What a web chat hands over when someone new writes, unless said otherwise. */
export function incoming(workspaceId: string, given: Partial<IncomingMessage> = {}): IncomingMessage {
  return {
    workspaceId,
    channel: 'webchat',
    contact: { fields: { name: 'Ada Lovelace', email: `${randomUUID()}@example.com` } },
    subject: null,
    mailboxId: null,
    externalThreadId: null,
    isTest: false,
    conversationId: null,
    content: 'Where is my order?',
    attachmentsCount: 0,
    externalId: null,
    ...given,
  };
}
