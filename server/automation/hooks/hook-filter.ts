import type { HookFilter } from '#server/automation/hooks/subscribe-hook.ts';
import { EVENTS, type EventFilter, type EventKey } from '#server/contract/event-catalogue.ts';
import { optionalText } from '#server/contract/fields.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import {
  COMMAND_NAME_PROBLEM,
  isCommandName,
  normalizeCommand,
} from '#server/inbox/commands/command-name.ts';

/** For filters that have their own rule and message instead of a maximum length. */
const ANY_LENGTH = Number.POSITIVE_INFINITY;
const STATUSES = Object.values(ConversationStatus);

const PARSERS: Record<
  EventFilter,
  (value: unknown) => { filter: Partial<HookFilter> } | { problem: string }
> = {
  status: (value) => {
    const read = parseText(value, { label: 'status', max: ANY_LENGTH });
    if ('problem' in read) return read;
    const status = STATUSES.find((known) => known === read.value);
    if (status || read.value === null) return { filter: { status: status ?? null } };
    return { problem: `The status must be one of ${STATUSES.join(', ')}.` };
  },
  tag: (value) => {
    const read = parseText(value, { label: 'tag', max: 40 });
    return 'problem' in read ? read : { filter: { tag: read.value } };
  },
  command: (value) => {
    const read = parseText(value, { label: 'command', max: ANY_LENGTH });
    if ('problem' in read) return read;
    const command = normalizeCommand(read.value ?? '');
    if (command === '') return { filter: { command: null } };
    if (isCommandName(command)) return { filter: { command } };
    return { problem: COMMAND_NAME_PROBLEM };
  },
};

/**
 * Parses the filter that belongs to an event. Ignores the other filters, whatever their type (docs/rulings.md
 * 5.2).
 * @returns the filter, or the invalid field with a message
 */
export function parseHookFilter(
  event: EventKey,
  fields: Partial<Record<EventFilter, unknown>>,
): { filter: HookFilter } | { field: EventFilter; problem: string } {
  const filter: HookFilter = { status: null, tag: null, command: null };
  const field = EVENTS[event].filter;
  if (!field) return { filter };
  const read = PARSERS[field](fields[field]);
  if ('problem' in read) return { field, problem: read.problem };
  return { filter: { ...filter, ...read.filter } };
}

function parseText(
  value: unknown,
  rules: { label: string; max: number },
): { value: string | null } | { problem: string } {
  const parsed = optionalText({ ...rules, description: '' }).safeParse(value);
  if (parsed.success) return { value: parsed.data ?? null };
  return { problem: parsed.error.issues[0]?.message ?? `The ${rules.label} is not valid.` };
}
