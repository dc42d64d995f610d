import { db } from '#server/core/database/db.ts';

/** The events that are to be fanned out, in the order in which they happened. */
export async function eventsToFanOut(): Promise<string[]> {
  const rows = await db().eventToFanOut.findMany({ orderBy: { eventId: 'asc' } });
  return rows.map(({ eventId }) => eventId);
}
