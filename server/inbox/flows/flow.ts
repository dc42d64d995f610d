import { z } from 'zod';
import { TAG_MAX_LENGTH, TAGS_MAX } from '#server/contract/tag-list.ts';
import { Channel } from '#server/generated/prisma/enums.ts';

/** Flows of a workspace. */
export const FLOWS_MAX = 50;
/** Characters in one of its words, and in a domain (RFC 1035). */
export const WORD_MAX_LENGTH = 80;
export const DOMAIN_MAX_LENGTH = 253;
/** Words that one flow looks for. */
export const WORDS_MAX = 20;

/** When a flow applies to a new conversation: all of it holds. Empty, or null, holds always. */
export const flowCondition = z.object({
  /** It began on one of these. */
  channels: z.array(z.enum(Channel)),
  /** One of these is in the subject or in the first message. */
  words: z.array(z.string().min(1).max(WORD_MAX_LENGTH)).max(WORDS_MAX),
  /** The domain of the contact's email address, in lowercase. */
  emailDomain: z.string().min(1).max(DOMAIN_MAX_LENGTH).nullable(),
});

/** What a flow does; null and empty do nothing. */
export const flowActions = z.object({
  tags: z.array(z.string().min(1).max(TAG_MAX_LENGTH)).max(TAGS_MAX),
  assigneeId: z.uuid().nullable(),
  teamId: z.uuid().nullable(),
  status: z.enum(['pending', 'solved']).nullable(),
});

export type FlowCondition = z.infer<typeof flowCondition>;
export type FlowActions = z.infer<typeof flowActions>;
