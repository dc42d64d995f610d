import { z } from 'zod';
import { EVENT_KEYS } from '#server/events/catalogue.ts';

const byName = z.string().nullable();

const hook = { hookId: z.uuid(), event: z.enum(EVENT_KEYS) };
const moment = z.iso.datetime({ offset: true });

/** What a notification tells, by kind, with what its sentence needs. `byName` null: nobody in person. */
export const notificationContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('assigned'), data: z.object({ byName }) }),
  z.object({ kind: z.literal('noted'), data: z.object({ byName, noteId: z.uuid() }) }),
  z.object({ kind: z.literal('mentioned'), data: z.object({ byName, noteId: z.uuid() }) }),
  z.object({ kind: z.literal('contact_wrote'), data: z.object({ messageId: z.uuid() }) }),
  z.object({ kind: z.literal('rated'), data: z.object({ ratingId: z.uuid(), score: z.int() }) }),
  z.object({
    kind: z.literal('hook_failing'),
    // `count` events in a row failed, the first of them at `since`. `lastStatus` null: the last had no answer.
    data: z.object({ ...hook, count: z.literal([25, 40]), since: moment, lastStatus: z.int().nullable() }),
  }),
  z.object({
    kind: z.literal('hook_removed'),
    // `since` null: it was not failing before.
    data: z.object({ ...hook, reason: z.enum(['failing', 'gone']), since: moment.nullable() }),
  }),
]);

export type NotificationContent = z.infer<typeof notificationContent>;

/** What owners and admins are told, and by e-mail too. */
export type HookNotification = Extract<NotificationContent, { kind: 'hook_failing' | 'hook_removed' }>;
