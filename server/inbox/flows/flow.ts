import { z } from 'zod';
import { TAG_MAX_LENGTH, TAGS_MAX } from '#server/contract/tag-list.ts';
import { Channel, ConversationStatus, Priority, SlaKind } from '#server/generated/prisma/enums.ts';

/** Maximum number of flows per workspace. */
export const FLOWS_MAX = 50;
/** Maximum lengths, in code points: of a word, and of a domain (RFC 1035). */
export const WORD_MAX_LENGTH = 80;
export const DOMAIN_MAX_LENGTH = 253;
/** Maximum number of words per flow. */
export const WORDS_MAX = 20;
/** Longest time of a trigger, in hours. */
export const HOURS_MAX = 365 * 24;

const status = z.enum(ConversationStatus);
const tags = z.array(z.string().min(1).max(TAG_MAX_LENGTH)).max(TAGS_MAX);
const hours = z.int().min(1).max(HOURS_MAX);

/** What starts a flow. Null and empty: any. */
export const flowTrigger = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['conversation_started', 'message_received', 'replied', 'assigned']) }),
  z.object({ kind: z.literal('status_changed'), to: status.nullable() }),
  z.object({ kind: z.literal('priority_changed'), to: z.enum(Priority).nullable() }),
  z.object({ kind: z.literal('tagged'), tags }),
  z.object({ kind: z.literal('team_set'), teamId: z.uuid().nullable() }),
  z.object({ kind: z.literal('sla_missed'), limit: z.enum(SlaKind).nullable() }),
  /** It has had the status for so long. Closed conversations stay closed. */
  z.object({ kind: z.literal('stayed'), status: status.exclude(['closed']), hours }),
  /** The contact of an open conversation has waited for an answer for so long, or has not answered. */
  z.object({ kind: z.enum(['team_silent', 'contact_silent']), hours }),
]);

/** Condition of a flow. All fields must match; an empty or null field always matches. */
export const flowCondition = z.object({
  /** The conversation started on one of these channels. */
  channels: z.array(z.enum(Channel)),
  /** The subject or the message contains one of these words. */
  words: z.array(z.string().min(1).max(WORD_MAX_LENGTH)).max(WORDS_MAX),
  /** Domain of the contact's email address, in lowercase. */
  emailDomain: z.string().min(1).max(DOMAIN_MAX_LENGTH).nullable(),
  /** The conversation has one of these states, and one of these tags. Not for new conversations. */
  statuses: z.array(status).default([]),
  tags: tags.default([]),
});

/** Actions of a flow; null and empty fields do nothing. */
export const flowActions = z.object({
  tags,
  assigneeId: z.uuid().nullable(),
  teamId: z.uuid().nullable(),
  status: status.nullable(),
  priority: z.enum(Priority).nullable().default(null),
});

export type FlowTrigger = z.infer<typeof flowTrigger>;
export type FlowTriggerKind = FlowTrigger['kind'];
export type FlowCondition = z.infer<typeof flowCondition>;
export type FlowActions = z.infer<typeof flowActions>;

/** A flow: when, if, then. */
export type FlowContent = { trigger: FlowTrigger; condition: FlowCondition; actions: FlowActions };

/** Triggers that fire because time passes. */
export type TimedTrigger = Extract<FlowTrigger, { hours: number }>;

export function isTimed(trigger: FlowTrigger): trigger is TimedTrigger {
  return 'hours' in trigger;
}
