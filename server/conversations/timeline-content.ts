import { z } from 'zod';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';

const status = z.enum(ConversationStatus);

/** What a timeline entry tells, by kind, with what it needs to tell it. */
export const timelineContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('created'), data: z.object({}) }),
  z.object({
    kind: z.literal('assigned'),
    data: z.object({ assigneeId: z.uuid(), assigneeName: z.string() }),
  }),
  z.object({ kind: z.literal('status_changed'), data: z.object({ from: status, to: status }) }),
  z.object({ kind: z.literal('tagged'), data: z.object({ tags: z.array(z.string()) }) }),
  z.object({ kind: z.literal('merged'), data: z.object({ intoId: z.uuid() }) }),
]);

export type TimelineContent = z.infer<typeof timelineContent>;

/** What was done, as the part of a sentence that follows who did it. */
export function describeContent(content: TimelineContent): string {
  switch (content.kind) {
    case 'created':
      return 'started this conversation';
    case 'assigned':
      return `assigned this conversation to ${content.data.assigneeName}`;
    case 'status_changed':
      return `changed the status from ${content.data.from} to ${content.data.to}`;
    case 'tagged':
      return `added the ${content.data.tags.length === 1 ? 'tag' : 'tags'} ${content.data.tags.join(', ')}`;
    case 'merged':
      return 'merged this conversation into another one';
  }
}
