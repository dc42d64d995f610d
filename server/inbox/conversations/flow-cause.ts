import { z } from 'zod';
import { ConversationStatus, Priority, SlaKind } from '#server/generated/prisma/enums.ts';

/** What starts flows: a change of a conversation, or that time passed without one. Timeline entries of flows store it. */
export const flowCause = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['conversation_started', 'replied', 'assigned']) }),
  z.object({ kind: z.literal('message_received'), messageId: z.uuid() }),
  z.object({ kind: z.literal('status_changed'), to: z.enum(ConversationStatus) }),
  z.object({ kind: z.literal('priority_changed'), to: z.enum(Priority) }),
  z.object({ kind: z.literal('tagged'), tags: z.array(z.string()) }),
  z.object({ kind: z.literal('team_set'), teamId: z.uuid(), teamName: z.string() }),
  z.object({ kind: z.literal('sla_missed'), limit: z.enum(SlaKind) }),
  z.object({
    kind: z.literal('stayed'),
    flowId: z.uuid(),
    status: z.enum(ConversationStatus),
    hours: z.int(),
  }),
  z.object({ kind: z.enum(['team_silent', 'contact_silent']), flowId: z.uuid(), hours: z.int() }),
]);

/** Stored with each cause: whether a teammate or the contact made the change. Releases before do not store it. */
export const madeBy = z.object({ byPerson: z.boolean().default(false) });

export type MadeBy = z.infer<typeof madeBy>;

export type FlowCause = z.infer<typeof flowCause>;

/** Formats a time in hours, for example `3 days`. */
export function formatHours(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns a clause that follows "because"; null when a conversation started, which the thread shows before. */
export function describeCause(cause: FlowCause): string | null {
  switch (cause.kind) {
    case 'conversation_started':
      return null;
    case 'message_received':
      return 'the contact wrote';
    case 'replied':
      return 'a teammate replied';
    case 'assigned':
      return 'it was assigned';
    case 'status_changed':
      return `its status changed to ${cause.to}`;
    case 'priority_changed':
      return `its priority changed to ${cause.to}`;
    case 'tagged':
      return `it was tagged ${cause.tags.join(', ')}`;
    case 'team_set':
      return `it moved to the team ${cause.teamName}`;
    case 'sla_missed':
      return cause.limit === 'first_response'
        ? 'the first response was overdue'
        : 'the resolution was overdue';
    case 'stayed':
      return `it stayed ${cause.status} for ${formatHours(cause.hours)}`;
    case 'team_silent':
      return `the contact waited for ${formatHours(cause.hours)}`;
    case 'contact_silent':
      return `the contact did not reply for ${formatHours(cause.hours)}`;
  }
}
