export const CONVERSATION_STATUSES = ['open', 'pending', 'solved', 'closed'] as const;

export type TriggerKey =
  | 'conversation.created'
  | 'conversation.status_changed'
  | 'conversation.assigned'
  | 'conversation.tagged'
  | 'conversation.rated'
  | 'message.received'
  | 'contact.created'
  | 'operator.command';

/** The filter of a trigger: name in the API, label, and label when empty. */
export type TriggerFilter = {
  name: 'status' | 'tag' | 'command';
  label: string;
  options: readonly string[] | null;
  whenEmpty: string;
};

export type Trigger = { key: TriggerKey; name: string; description: string; filter: TriggerFilter | null };

/** The service's eight triggers, in the order of the page. */
export const TRIGGERS: readonly Trigger[] = [
  {
    key: 'conversation.created',
    name: 'New Conversation',
    description: 'Starts when a conversation begins on any channel.',
    filter: null,
  },
  {
    key: 'conversation.status_changed',
    name: 'Conversation Status Changed',
    description: 'Starts when a conversation is opened, set to pending, solved or closed.',
    filter: { name: 'status', label: 'Status', options: CONVERSATION_STATUSES, whenEmpty: 'Every status' },
  },
  {
    key: 'conversation.assigned',
    name: 'Conversation Assigned',
    description: 'Starts when a conversation is given to a teammate.',
    filter: null,
  },
  {
    key: 'conversation.tagged',
    name: 'Conversation Tagged',
    description: 'Starts when tags are added to a conversation.',
    filter: { name: 'tag', label: 'Tag', options: null, whenEmpty: 'Every tag' },
  },
  {
    key: 'conversation.rated',
    name: 'New Satisfaction Rating',
    description: 'Starts when a contact rates a conversation.',
    filter: null,
  },
  {
    key: 'message.received',
    name: 'New Customer Message',
    description: 'Starts when a contact writes, in a new or an existing conversation.',
    filter: null,
  },
  {
    key: 'contact.created',
    name: 'New Contact',
    description: 'Starts when a contact is added to the workspace.',
    filter: null,
  },
  {
    key: 'operator.command',
    name: 'Workflow Command',
    description: 'Starts when a teammate runs a command from a conversation.',
    filter: { name: 'command', label: 'Command', options: null, whenEmpty: 'Every command' },
  },
];

/** Finds a trigger by its key. */
export function findTrigger(key: string): Trigger | undefined {
  return TRIGGERS.find((trigger) => trigger.key === key);
}

export function triggerOf(key: TriggerKey): Trigger {
  const trigger = findTrigger(key);
  if (!trigger) throw new Error(`no trigger ${key}`);
  return trigger;
}
