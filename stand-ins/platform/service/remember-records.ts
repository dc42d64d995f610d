import { z } from 'zod';
import type { Connection, SeenRecord } from '../state.ts';

const RECORDS_MAX = 20;

const contact = z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() });
const conversation = z.object({
  id: z.string(),
  subject: z.string().nullable(),
  channel: z.string(),
  contact: z.unknown().optional(),
});

/**
 * Stores the conversations and contacts of a response or an event, so forms can suggest their ids. Searches the record
 * itself, the records of a list, and the records inside an event.
 */
export function rememberRecords(connection: Connection, body: unknown): void {
  if (Array.isArray(body)) {
    for (const item of body.toReversed()) rememberRecords(connection, item);
    return;
  }
  const found = conversation.safeParse(body);
  if (found.success) {
    const { id, subject, channel } = found.data;
    connection.seenConversations = withNewest(connection.seenConversations, {
      id,
      title: subject ?? `Without subject, ${channel}`,
    });
    rememberRecords(connection, found.data.contact);
    return;
  }
  const person = contact.safeParse(body);
  // Teammates also have a name and an email; only contacts have a phone.
  if (person.success && typeof body === 'object' && body !== null && 'phone' in body) {
    const { id, name, email } = person.data;
    connection.seenContacts = withNewest(connection.seenContacts, { id, title: name ?? email ?? 'Unnamed' });
    return;
  }
  if (typeof body !== 'object' || body === null) return;
  if ('conversation' in body) rememberRecords(connection, body.conversation);
  if ('contact' in body) rememberRecords(connection, body.contact);
}

function withNewest(records: SeenRecord[], record: SeenRecord): SeenRecord[] {
  return [record, ...records.filter((other) => other.id !== record.id)].slice(0, RECORDS_MAX);
}
