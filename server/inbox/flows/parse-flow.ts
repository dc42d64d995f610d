import { lengthOf, textProblem } from '#server/contract/fields.ts';
import { parseName } from '#server/contract/parse-name.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import { Channel, ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import {
  DOMAIN_MAX_LENGTH,
  type FlowActions,
  type FlowCondition,
  type FlowContent,
  WORD_MAX_LENGTH,
  WORDS_MAX,
} from '#server/inbox/flows/flow.ts';
import { parseFlowTags } from '#server/inbox/flows/parse-flow-tags.ts';
import { parseTrigger, type TriggerFields } from '#server/inbox/flows/parse-trigger.ts';

/** The form fields of a flow. Words and tags are comma-separated; empty fields are not set. */
export type FlowFields = TriggerFields & {
  name: string;
  channels: string[];
  words: string;
  emailDomain: string;
  /** Conditions on the state: not for new conversations. */
  statuses: string[];
  withTags: string;
  tags: string;
  assigneeId: string;
  teamId: string;
  status: string;
  priority: string;
};

/** A validated flow. The caller checks that the assignee and the teams exist. */
export type ParsedFlow = FlowContent & { name: string };

/**
 * Parses and validates the form fields of a flow. Does not look up the assignee and the teams.
 * @throws Refusal with a message for each invalid field, or when the flow would do nothing
 */
export function parseFlow(fields: FlowFields): ParsedFlow {
  const errors: FieldErrors = {};
  const name = parseName(fields.name, { field: 'name', label: 'automation name' });
  const trigger = parseTrigger(fields, errors);
  const isOnStart = trigger?.kind === 'conversation_started';
  const condition = parseCondition(isOnStart ? { ...fields, statuses: [], withTags: '' } : fields, errors);
  const actions = parseActions(fields, errors);
  if (Object.keys(errors).length > 0 || !trigger) throw invalid(errors);
  return { name, trigger, condition, actions };
}

function parseCondition(fields: FlowFields, errors: FieldErrors): FlowCondition {
  return {
    channels: Object.values(Channel).filter((channel) => fields.channels.includes(channel)),
    words: parseWordList(fields.words, errors),
    emailDomain: parseEmailDomain(fields.emailDomain, errors),
    statuses: Object.values(ConversationStatus).filter((status) => fields.statuses.includes(status)),
    tags: parseFlowTags(fields.withTags, 'withTags', errors),
  };
}

function parseActions(fields: FlowFields, errors: FieldErrors): FlowActions {
  const { assigneeId, teamId } = fields;
  const tags = parseFlowTags(fields.tags, 'tags', errors);
  const status = Object.values(ConversationStatus).find((each) => each === fields.status) ?? null;
  const priority = Object.values(Priority).find((each) => each === fields.priority) ?? null;
  if (tags.length === 0 && !errors.tags && !assigneeId && !teamId && !status && !priority) {
    errors.tags = [
      'Say what the automation does: add tags, assign a team or a teammate, or set a status or a priority.',
    ];
  }
  return { tags, assigneeId: assigneeId || null, teamId: teamId || null, status, priority };
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
