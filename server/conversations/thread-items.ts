import { describeContent, timelineContent } from '#server/conversations/timeline-content.ts';
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

/** Messages, notes and timeline entries of a conversation as one list, oldest first. */
export function threadItems({ messages, notes, timeline }: SelectedThread): ThreadItem[] {
  const items: ThreadItem[] = [
    ...timeline.map((entry) => ({
      kind: 'entry' as const,
      id: entry.id,
      sentence: entrySentence(entry),
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

/** What happened as a sentence: who did what, and through what. */
function entrySentence(entry: SelectedThread['timeline'][number]): string {
  const who = ACTORS[entry.actorKind] ?? entry.actorName ?? 'Somebody';
  const through = entry.actorKind === 'workflow' ? ` through ${settings().PLATFORM_NAME}` : '';
  const content = timelineContent.safeParse(entry);
  return `${who} ${content.success ? describeContent(content.data) : 'changed this conversation'}${through}`;
}

/** Those who have no name of their own. */
const ACTORS: Partial<Record<SelectedThread['timeline'][number]['actorKind'], string>> = {
  contact: 'The contact',
  ai_agent: 'The AI agent',
  flow: 'A flow',
  automatic: 'The service',
};
