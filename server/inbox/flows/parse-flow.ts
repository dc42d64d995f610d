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

/** The form fields of a flow. Words and tags are comma-separated; empty fields are not set. */
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

/** A validated flow. The caller checks that the assignee and the team exist. */
export type ParsedFlow = { name: string; condition: FlowCondition; actions: FlowActions };

/**
 * Parses and validates the form fields of a flow. Does not look up the assignee and the team.
 * @throws Refusal with a message for each invalid field, or when the flow would do nothing
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

/** Accepts a domain, or a complete email address, and returns the domain. */
function parseEmailDomain(typed: string, errors: FieldErrors): string | null {
  const trimmed = typed.trim();
  const domain = trimmed.slice(trimmed.lastIndexOf('@') + 1).toLowerCase();
  if (domain === '') return null;
  const isDomain = domain.length <= DOMAIN_MAX_LENGTH && /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(domain);
  if (!isDomain) errors.emailDomain = ['Enter a domain, for example example.com, or leave it empty.'];
  return domain;
}

function parseTags(typed: string, errors: FieldErrors): string[] {
  if (typed.split(',').every((tag) => tag.trim() === '')) return [];
  const parsed = tagList.safeParse(typed);
  if (parsed.success) return parsed.data;
  const fallback = `Give at most ${TAGS_MAX} tags of at most ${TAG_MAX_LENGTH} characters each.`;
  errors.tags = [parsed.error.issues[0]?.message ?? fallback];
  return [];
}
