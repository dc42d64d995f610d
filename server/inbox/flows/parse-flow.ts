import { lengthOf, textProblem } from '#server/contract/fields.ts';
import { parseName } from '#server/contract/parse-name.ts';
import { TAG_MAX_LENGTH, TAGS_MAX, tagList } from '#server/contract/tag-list.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import { Channel } from '#server/generated/prisma/enums.ts';
import {
  DOMAIN_MAX_LENGTH,
  type FlowActions,
  type FlowCondition,
  WORD_MAX_LENGTH,
  WORDS_MAX,
} from '#server/inbox/flows/flow.ts';

/** A flow as it was typed: words and tags with commas between them, the rest empty for nothing. */
export type FlowFields = {
  name: string;
  channels: string[];
  words: string;
  emailDomain: string;
  tags: string;
  assigneeId: string;
  teamId: string;
  status: string;
};

/** A flow as it is kept, once assignee and team are known to be there. */
export type ParsedFlow = { name: string; condition: FlowCondition; actions: FlowActions };

/**
 * Reads what was typed of a flow. Its assignee and team are for the caller to look up.
 * @throws Refusal with a sentence for each field that cannot be, or when the flow would do nothing
 */
export function parseFlow(fields: FlowFields): ParsedFlow {
  const errors: FieldErrors = {};
  const name = parseName(fields.name, { field: 'name', label: 'automation name' });
  const words = parseWordList(fields.words, errors);
  const emailDomain = parseEmailDomain(fields.emailDomain, errors);
  const tags = parseTags(fields.tags, errors);
  const channels = Object.values(Channel).filter((channel) => fields.channels.includes(channel));
  const { assigneeId, teamId } = fields;
  const status = (['pending', 'solved'] as const).find((each) => each === fields.status) ?? null;
  if (tags.length === 0 && !errors.tags && !assigneeId && !teamId && !status) {
    errors.tags = ['Say what the automation does: add tags, assign a team or a teammate, or set a status.'];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return {
    name,
    condition: { channels, words, emailDomain },
    actions: { tags, assigneeId: assigneeId || null, teamId: teamId || null, status },
  };
}

function parseWordList(typed: string, errors: FieldErrors): string[] {
  const words = [...new Set(typed.split(',').map((word) => word.trim()))].filter((word) => word !== '');
  const problem =
    words.length > WORDS_MAX
      ? `Give at most ${WORDS_MAX} words.`
      : words.some((word) => lengthOf(word) > WORD_MAX_LENGTH)
        ? `Each word must be at most ${WORD_MAX_LENGTH} characters.`
        : textProblem(typed, { label: 'words', max: Number.POSITIVE_INFINITY });
  if (problem) errors.words = [problem];
  return words;
}

/** A domain as it may be typed, also as the end of an address. */
function parseEmailDomain(typed: string, errors: FieldErrors): string | null {
  const given = typed.trim();
  const domain = given.slice(given.lastIndexOf('@') + 1).toLowerCase();
  if (domain === '') return null;
  const isDomain = domain.length <= DOMAIN_MAX_LENGTH && /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(domain);
  if (!isDomain) errors.emailDomain = ['Enter a domain, for example example.com, or leave it empty.'];
  return domain;
}

function parseTags(typed: string, errors: FieldErrors): string[] {
  if (typed.split(',').every((tag) => tag.trim() === '')) return [];
  const read = tagList.safeParse(typed);
  if (read.success) return read.data;
  const fallback = `Give at most ${TAGS_MAX} tags of at most ${TAG_MAX_LENGTH} characters each.`;
  errors.tags = [read.error.issues[0]?.message ?? fallback];
  return [];
}
