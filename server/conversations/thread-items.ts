import { describeContent, quoteOf, timelineContent } from '#server/conversations/timeline-content.ts';
import type { ThreadItem } from '#server/conversations/views.ts';
import { settings } from '#server/env.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { SendStatus } from '#server/generated/prisma/enums.ts';

/** What a query must select for `threadItems`. */
export const threadSelect = {
  messages: {
    select: {
      id: true,
      direction: true,
      authorKind: true,
      authorName: true,
      content: true,
      sendStatus: true,
      deliveryError: true,
      createdAt: true,
    },
    orderBy: { createdAt: 'desc' },
  },
  notes: { select: { id: true, authorKind: true, authorName: true, content: true, createdAt: true } },
  timeline: {
    select: { id: true, kind: true, actorKind: true, actorName: true, data: true, createdAt: true },
  },
} satisfies Prisma.ConversationSelect;

type SelectedThread = Prisma.ConversationGetPayload<{ select: typeof threadSelect }>;

/**
 * Messages, notes and timeline entries of a conversation as one list, oldest first.
 * @param contactName what the contact is called where something happened, or null
 */
export function threadItems(
  { messages, notes, timeline }: SelectedThread,
  contactName: string | null,
): ThreadItem[] {
  const items: ThreadItem[] = [
    ...timeline.map((entry) => ({
      kind: 'entry' as const,
      id: entry.id,
      ...toldOf(entry, contactName),
      createdAt: entry.createdAt,
    })),
    ...messages.map((message) => ({
      kind: 'message' as const,
      id: message.id,
      fromContact: message.direction === 'inbound',
      authorName: message.authorName,
      throughPlatform: message.authorKind === 'workflow',
      content: message.content,
      deliveryProblem: deliveryProblem(message.sendStatus, message.deliveryError),
      createdAt: message.createdAt,
    })),
    ...notes.map((note) => ({
      kind: 'note' as const,
      id: note.id,
      authorName: note.authorName,
      throughPlatform: note.authorKind === 'workflow',
      content: note.content,
      createdAt: note.createdAt,
    })),
  ];
  // Of one instant, ids tell the order, as they grow with time.
  return items.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

function deliveryProblem(status: SendStatus | null, error: string | null): string | null {
  if (status === 'failed') return error ?? 'This message could not be sent.';
  if (status === 'held_for_paywall') {
    return 'Saved, but not sent: sending e-mail needs the Growth plan or higher and a verified e-mail domain.';
  }
  return null;
}

type Entry = SelectedThread['timeline'][number];

/** What happened as a sentence (who did what, and through what), and what was said with it. */
function toldOf(entry: Entry, contactName: string | null): { sentence: string; quote: string | null } {
  const who = nameOf(entry, contactName);
  const through = entry.actorKind === 'workflow' ? ` through ${settings().PLATFORM_NAME}` : '';
  const content = timelineContent.safeParse(entry);
  const what = content.success ? describeContent(content.data) : 'changed this conversation';
  return { sentence: `${who} ${what}${through}`, quote: content.success ? quoteOf(content.data) : null };
}

function nameOf({ actorKind, actorName }: Entry, contactName: string | null): string {
  if (actorKind === 'contact') return contactName ?? 'The contact';
  return ACTORS[actorKind] ?? actorName ?? 'Somebody';
}

/** Those who have no name of their own. */
const ACTORS: Partial<Record<Entry['actorKind'], string>> = {
  ai_agent: 'The AI agent',
  flow: 'A flow',
  automatic: 'The service',
};
