import { storedFormatted } from '#server/contract/parse-formatted.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { ActorKind } from '#server/generated/prisma/enums.ts';
import { findClosedTime } from '#server/inbox/web-chat/find-closed-time.ts';
import type { Visitor } from '#server/inbox/web-chat/find-visitor.ts';
import type { ChatMessage, ChatView, ClosedView } from '#server/screens/web-chat/views.ts';

/** Maximum number of messages, newest first, so that a long chat costs no more than a new one. */
const SHOWN_MAX = 200;

/** Returns the visitor's chat. At most three round trips, two of them at the same time. */
export async function getChat(visitor: Visitor): Promise<ChatView> {
  const own = visitor.conversations[0];
  const isIntroduced = visitor.hasAddress;
  const last = visitor.conversations.at(-1);
  const closing = findClosed({ workspaceId: visitor.workspaceId, conversationId: last?.id ?? null });
  if (!own) {
    return {
      conversationId: null,
      messages: [],
      ended: null,
      rating: null,
      isIntroduced,
      closed: await closing,
    };
  }
  const [closed, newest] = await Promise.all([closing, readNewest(visitor)]);
  const messages = newest.reverse().map(
    ({
      id,
      direction,
      authorKind,
      authorName,
      content,
      formatted,
      externalId,
      createdAt,
      attachments: files,
    }): ChatMessage => ({
      id,
      clientId: direction === 'inbound' ? (externalId?.slice(visitor.prefix.length) ?? null) : null,
      authorName: direction === 'inbound' ? null : firstName(authorKind, authorName),
      content,
      formatted: storedFormatted(formatted),
      createdAt: createdAt.toISOString(),
      pictures: files.flatMap(({ id, inline, contentId }) =>
        inline && contentId !== null ? { fileId: contentId, id } : [],
      ),
      attachments: files.flatMap(({ inline, contentId: _, ...file }) => (inline ? [] : file)),
    }),
  );
  const ended = endOf(visitor);
  const rating = ended && (await findRating(visitor));
  return { conversationId: own.id, messages, ended, rating, isIntroduced, closed };
}

function readNewest(visitor: Visitor) {
  return db().message.findMany({
    where: visibleMessages(visitor),
    select: {
      id: true,
      direction: true,
      authorKind: true,
      authorName: true,
      content: true,
      formatted: true,
      externalId: true,
      createdAt: true,
      attachments: {
        select: { id: true, name: true, contentType: true, sizeBytes: true, inline: true, contentId: true },
        orderBy: { id: 'asc' },
      },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: SHOWN_MAX,
    relationLoadStrategy: 'join',
  });
}

/** Returns the current or next time outside business hours, as a view. */
export async function findClosed(which: Parameters<typeof findClosedTime>[0]): Promise<ClosedView> {
  const closed = await findClosedTime(which);
  return closed && { from: closed.from.toISOString(), until: closed.until.toISOString() };
}

/** Returns whether the conversation is solved or closed, if the visitor may know it; otherwise null. */
export function endOf({ conversations }: Visitor): ChatView['ended'] {
  const last = conversations.at(-1);
  if (!last || !(last.isOwn || last.readableSince)) return null;
  return last.status === 'solved' || last.status === 'closed' ? last.status : null;
}

/** Returns the rating that the visitor gave after the conversation was last solved. Null if none, and after a merge. */
async function findRating({ conversations }: Visitor): Promise<ChatView['rating']> {
  const [own, ...others] = conversations;
  if (!own || others.length > 0) return null;
  const [rating] = await sql().$queryRaw<NonNullable<ChatView['rating']>[]>`
    select r.score, r.comment from conversations c
    join ratings r on r.solved_conversation_id = c.id and r.resolved_at is not distinct from c.resolved_at
    where c.id = ${own.id}::uuid`;
  return rating ?? null;
}

/** Visitors only see first names. */
function firstName(kind: ActorKind, name: string | null): string {
  if (kind === 'ai_agent') return 'AI agent';
  return name?.trim().split(/\s+/)[0] || 'Team';
}

/**
 * Returns the filter for the messages that a visitor may see. These are their own messages and the replies of
 * teammates, workflows and the AI agent in their conversation. After a merge, replies in the target count
 * from the merge on (see `findVisitor`). Excluded are messages of other contacts, notes, timeline entries and
 * replies that can still be undone.
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
