import type { EventKey } from '#server/contract/event-catalogue.ts';
import { eventSchemas } from '#server/contract/event-schemas.ts';
import { loggedSchemas } from '#server/contract/program-event-schemas.ts';
import type { LoggedEventKey } from '#server/contract/program-events.ts';
import type { EventBody } from '#server/contract/record-events.ts';
import { db } from '#server/core/database/prisma.ts';

/** Returns the events recorded in a workspace, oldest first, validated with their schemas. */
export async function recordedEvents(workspaceId: string): Promise<EventBody[]> {
  const events = await db().event.findMany({
    where: { workspaceId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return events.map(({ key, body }) => eventSchemas[key as EventKey].parse(JSON.parse(body)));
}

/** Returns the recorded events of one kind. */
export async function recordedEventsOf<Key extends EventKey>(workspaceId: string, key: Key) {
  const isOfKey = (event: EventBody): event is Extract<EventBody, { event: Key }> => event.event === key;
  return (await recordedEvents(workspaceId)).filter(isOfKey);
}

/** Returns the events recorded in a workspace, also those that only programs get, with their causes. */
export async function loggedEvents(workspaceId: string) {
  const events = await db().event.findMany({
    where: { workspaceId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return events.map(({ key, body, actor, causeId }) => ({
    ...(loggedSchemas[key]?.parse(JSON.parse(body)) as { id: string; event: LoggedEventKey }),
    actor,
    causeId,
  }));
}

/** Returns the ids of the events that wait for fan-out, oldest first. */
export async function eventsToFanOut(): Promise<string[]> {
  const rows = await db().eventToFanOut.findMany({ orderBy: { eventId: 'asc' } });
  return rows.map(({ eventId }) => eventId);
}
