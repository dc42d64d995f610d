import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Visitor } from '#server/inbox/web-chat/find-visitor.ts';

/**
 * The messages that a visitor may see, and no other: what they wrote themselves, and what teammates, workflows and the
 * AI agent answered in their conversation, or, from the merge on, in the one it was merged into (see `findVisitor`).
 * Other contacts' messages, notes, timeline entries and replies that may still be undone are never among them.
 */
export function visibleMessages({ workspaceId, prefix, conversations }: Visitor): Prisma.MessageWhereInput {
  return {
    workspaceId,
    conversationId: { in: conversations.map(({ id }) => id) },
    OR: [
      { direction: 'inbound', externalId: { startsWith: prefix } },
      ...conversations.flatMap(({ id, isOwn, readableSince }): Prisma.MessageWhereInput[] => {
        if (isOwn) return [{ direction: 'outbound', conversationId: id }];
        if (!readableSince) return [];
        return [{ direction: 'outbound', conversationId: id, createdAt: { gte: readableSince } }];
      }),
    ],
  };
}
