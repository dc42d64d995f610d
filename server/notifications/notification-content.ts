import { z } from 'zod';

const byName = z.string().nullable();

/** What a notification tells, by kind, with what its sentence needs. `byName` null: nobody in person. */
export const notificationContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('assigned'), data: z.object({ byName }) }),
  z.object({ kind: z.literal('noted'), data: z.object({ byName, noteId: z.uuid() }) }),
  z.object({ kind: z.literal('mentioned'), data: z.object({ byName, noteId: z.uuid() }) }),
]);

export type NotificationContent = z.infer<typeof notificationContent>;
