import type { TriggerKey } from '../catalogue/triggers.ts';

const CONTACT = ['id', 'name', 'email', 'phone', 'city', 'language'];
const CONVERSATION = [
  ...['id', 'subject', 'status', 'priority', 'channel', 'tags', 'url', 'assignee.name', 'team.name'],
  ...CONTACT.map((name) => `contact.${name}`),
].map((name) => `conversation.${name}`);

/** Fields that an event has in addition to its conversation. */
const ADDITIONAL: Record<TriggerKey, readonly string[]> = {
  'conversation.created': [],
  'conversation.status_changed': ['previous_status'],
  'conversation.assigned': ['previous_assignee.name'],
  'conversation.tagged': ['added_tags'],
  'conversation.rated': ['rating.score', 'rating.comment'],
  'message.received': ['message.content', 'message.attachments_count'],
  'contact.created': [],
  'operator.command': ['command', 'arguments', 'operator.name', 'operator.email'],
};

/** Lists the paths of an event's fields that a workflow can use in its action. */
export function listEventFields(trigger: TriggerKey): string[] {
  const record =
    trigger === 'contact.created' ? [...CONTACT, 'url'].map((name) => `contact.${name}`) : CONVERSATION;
  return [...ADDITIONAL[trigger], ...record, 'occurred_at'];
}

/** Returns the placeholder of a field, such as `{{conversation.subject}}`. */
export function placeholderOf(path: string): string {
  return `{{${path}}}`;
}

/** Replaces each placeholder in a text by the event's value. A field that the event lacks becomes empty. */
export function fillPlaceholders(text: string, event: unknown): string {
  return text.replace(/\{\{\s*([a-z_.]{1,80})\s*\}\}/g, (_, path: string) => textOf(valueAt(event, path)));
}

function valueAt(event: unknown, path: string): unknown {
  let value = event;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return value;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value === null || value === undefined ? '' : String(value);
}
