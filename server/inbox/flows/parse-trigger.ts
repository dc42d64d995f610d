import { validate as isUuid } from 'uuid';
import type { FieldErrors } from '#server/core/errors.ts';
import { ConversationStatus, Priority, SlaKind } from '#server/generated/prisma/enums.ts';
import { type FlowTrigger, type FlowTriggerKind, HOURS_MAX } from '#server/inbox/flows/flow.ts';
import { parseFlowTags } from '#server/inbox/flows/parse-flow-tags.ts';

/** The form fields of a trigger. Only those of its kind are read. */
export type TriggerFields = {
  trigger: string;
  triggerStatus: string;
  triggerPriority: string;
  triggerTeamId: string;
  triggerTags: string;
  triggerLimit: string;
  /** A number and its unit, `hours` or `days`. */
  time: string;
  unit: string;
};

const KINDS: Record<
  FlowTriggerKind,
  (fields: TriggerFields, errors: FieldErrors) => FlowTrigger | undefined
> = {
  conversation_started: () => ({ kind: 'conversation_started' }),
  message_received: () => ({ kind: 'message_received' }),
  replied: () => ({ kind: 'replied' }),
  assigned: () => ({ kind: 'assigned' }),
  status_changed: ({ triggerStatus }) => ({
    kind: 'status_changed',
    to: oneOf(ConversationStatus, triggerStatus),
  }),
  priority_changed: ({ triggerPriority }) => ({
    kind: 'priority_changed',
    to: oneOf(Priority, triggerPriority),
  }),
  team_set: ({ triggerTeamId }) => ({
    kind: 'team_set',
    teamId: isUuid(triggerTeamId) ? triggerTeamId : null,
  }),
  tagged: ({ triggerTags }, errors) => ({
    kind: 'tagged',
    tags: parseFlowTags(triggerTags, 'triggerTags', errors),
  }),
  sla_missed: ({ triggerLimit }) => ({ kind: 'sla_missed', limit: oneOf(SlaKind, triggerLimit) }),
  stayed: (fields, errors) => {
    const status = oneOf(ConversationStatus, fields.triggerStatus);
    const hours = parseHours(fields, errors);
    if (status === null || status === 'closed') errors.triggerStatus = ['Choose open, pending or solved.'];
    else if (hours !== undefined) return { kind: 'stayed', status, hours };
    return undefined;
  },
  team_silent: (fields, errors) => timed('team_silent', parseHours(fields, errors)),
  contact_silent: (fields, errors) => timed('contact_silent', parseHours(fields, errors)),
};

const TRIGGER_KINDS = Object.keys(KINDS) as FlowTriggerKind[];

/** Parses the trigger of a flow. Returns undefined after adding a message for each invalid field to `errors`. */
export function parseTrigger(fields: TriggerFields, errors: FieldErrors): FlowTrigger | undefined {
  const kind = TRIGGER_KINDS.find((each) => each === fields.trigger);
  if (kind) return KINDS[kind](fields, errors);
  errors.trigger = ['Choose when the automation runs.'];
  return undefined;
}

function oneOf<Value extends string>(values: Record<string, Value>, chosen: string): Value | null {
  return Object.values(values).find((each) => each === chosen) ?? null;
}

function timed(kind: 'team_silent' | 'contact_silent', hours: number | undefined): FlowTrigger | undefined {
  return hours === undefined ? undefined : { kind, hours };
}

function parseHours({ time, unit }: TriggerFields, errors: FieldErrors): number | undefined {
  const count = /^[1-9]\d{0,3}$/.test(time.trim()) ? Number(time) : 0;
  const hours = count * (unit === 'days' ? 24 : 1);
  if (hours >= 1 && hours <= HOURS_MAX) return hours;
  errors.time = ['Enter a whole number: at least 1 hour, at most 365 days.'];
  return undefined;
}
