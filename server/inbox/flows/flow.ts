import { z } from 'zod';
import { TAG_MAX_LENGTH, TAGS_MAX } from '#server/contract/tag-list.ts';
import { Channel } from '#server/generated/prisma/enums.ts';

/** Maximum number of flows per workspace. */
export const FLOWS_MAX = 50;
/** Maximum lengths, in code points: of a word, and of a domain (RFC 1035). */
export const WORD_MAX_LENGTH = 80;
export const DOMAIN_MAX_LENGTH = 253;
/** Maximum number of words per flow. */
export const WORDS_MAX = 20;

/** Condition of a flow on a new conversation. All fields must match; an empty or null field always matches. */
export const flowCondition = z.object({
  /** The conversation started on one of these channels. */
  channels: z.array(z.enum(Channel)),
  /** The subject or the first message contains one of these words. */
  words: z.array(z.string().min(1).max(WORD_MAX_LENGTH)).max(WORDS_MAX),
  /** Domain of the contact's email address, in lowercase. */
  emailDomain: z.string().min(1).max(DOMAIN_MAX_LENGTH).nullable(),
});

/** Actions of a flow; null and empty fields do nothing. */
export const flowActions = z.object({
  tags: z.array(z.string().min(1).max(TAG_MAX_LENGTH)).max(TAGS_MAX),
  assigneeId: z.uuid().nullable(),
  teamId: z.uuid().nullable(),
  status: z.enum(['pending', 'solved']).nullable(),
});

export type FlowCondition = z.infer<typeof flowCondition>;
export type FlowActions = z.infer<typeof flowActions>;
