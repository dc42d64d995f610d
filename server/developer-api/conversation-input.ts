import { z } from 'zod';
import { CONVERSATION, parseValidFields, type RecordCheck } from '#server/api/check-record.ts';
import {
  optionalChoice,
  optionalText,
  pathParameter,
  requiredContent,
  requiredText,
} from '#server/contract/fields.ts';
import { newConversationInput } from '#server/contract/new-conversation-input.ts';
import { exampleTeam, exampleTeammate } from '#server/contract/record-examples.ts';
import { TAG_MAX_LENGTH, tagList } from '#server/contract/tag-list.ts';
import { optionalField } from '#server/developer-api/optional-field.ts';
import { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import { NOTE_MAX_LENGTH } from '#server/inbox/conversations/add-note.ts';
import {
  type ConversationChanges,
  findUpdateProblems,
} from '#server/inbox/conversations/update-conversation.ts';
import { ATTACHMENTS_MAX, ATTACHMENTS_MAX_BYTES } from '#server/inbox/files/content-types.ts';
import { REFERENCE_MAX_LENGTH } from '#server/inbox/files/uploaded-file.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';

// The inputs of calls that change conversations.

const id = pathParameter('The id of the conversation.');

/** Ids have no maximum length: an overlong one is simply unknown. */
const ANY_LENGTH = Number.POSITIVE_INFINITY;

const authorId = optionalText({
  label: 'author (author_id)',
  max: ANY_LENGTH,
  description:
    'The id of a teammate from GET /teammates in whose name it is written. Without it, it is written in the name of the workspace.',
  example: exampleTeammate.id,
});

/** Addresses of copies. An empty list counts as not sent. */
const copies = (name: 'cc' | 'bcc') =>
  optionalField(
    z.array(z.string(COPIES_PROBLEM).max(1_000, COPIES_PROBLEM), COPIES_PROBLEM).max(100, COPIES_PROBLEM),
    {
      description: `Email: addresses that get a ${name === 'bcc' ? 'hidden ' : ''}copy, at most 20 in cc and bcc together.`,
      examples: [[name === 'cc' ? 'carla@engines.example' : 'archive@engines.example']],
      schema: { type: ['array', 'null'], items: { type: 'string', format: 'email' } },
    },
  );

const COPIES_PROBLEM = 'The copies (cc, bcc) must be lists of email addresses.';

const MIB = 1_024 * 1_024;
const ATTACHMENTS_PROBLEM = 'The files (attachment_ids) must be a list of ids that POST /files returned.';

const attachmentIds = optionalField(
  z
    .array(z.string(ATTACHMENTS_PROBLEM).max(REFERENCE_MAX_LENGTH, ATTACHMENTS_PROBLEM), ATTACHMENTS_PROBLEM)
    .max(100, ATTACHMENTS_PROBLEM),
  {
    description: `The ids of files from POST /files, at most ${ATTACHMENTS_MAX} and ${ATTACHMENTS_MAX_BYTES / MIB} MB together.`,
    schema: { type: ['array', 'null'], items: { type: 'string' } },
  },
);

const enclosures = { cc: copies('cc'), bcc: copies('bcc') };

export const newConversationBody = z.object({
  ...newConversationInput.shape,
  ...enclosures,
  author_id: authorId,
});

export const replyInput = z.object({
  id,
  content: requiredContent({
    label: 'content',
    max: REPLY_MAX_LENGTH,
    description: 'The text of the reply.',
    example: 'Hello Ada, it left our warehouse this morning.',
  }),
  ...enclosures,
  attachment_ids: attachmentIds,
  author_id: authorId,
});

export const noteInput = z.object({
  id,
  content: requiredContent({
    label: 'content',
    max: NOTE_MAX_LENGTH,
    description: 'The text of the note.',
    example: '@Olivia Owen please have a look at this refund.',
  }),
  author_id: optionalText({
    label: 'author (author_id)',
    max: ANY_LENGTH,
    description: 'The id of a teammate from GET /teammates in whose name it is written.',
    example: exampleTeammate.id,
  }),
});

export const tagsInput = z.object({ id, tags: tagList });

export const removedTagInput = z.object({
  id,
  tag: requiredText({
    label: 'tag',
    max: TAG_MAX_LENGTH,
    description: 'The tag, in upper or lower case, percent-encoded.',
    example: 'shipping',
  }),
});

export const mergeInput = z.object({
  id,
  into_id: requiredText({
    label: 'remaining conversation (into_id)',
    max: 60,
    description: 'The id of the conversation that remains.',
    example: '01a4d7f0-4d5e-7f60-9b7c-8d9e0f1a2b3c',
  }),
});

const timestampSchema = z.iso.datetime({ offset: true });

/** The end of a snooze: a timestamp, or null for `none`. */
const snoozedUntil = optionalText({
  label: 'end of the snooze (snoozed_until)',
  max: 60,
  description:
    'Makes the conversation pending until this time (ISO 8601 with an offset or `Z`, within a year). `none` ends the snooze.',
  example: '2026-11-24T08:00:00Z',
}).transform((text, context): Date | null | undefined => {
  if (text === undefined || text === 'none') return text === undefined ? undefined : null;
  if (timestampSchema.safeParse(text).success) return new Date(text);
  context.addIssue({
    code: 'custom',
    message:
      'The end of the snooze (snoozed_until) must be ISO 8601 with an offset, such as 2026-11-24T08:00:00Z.',
  });
  return z.NEVER;
});

const updateBody = z.object({
  id,
  status: optionalChoice({
    label: 'status',
    values: Object.values(ConversationStatus),
    description: 'The new status. A closed conversation stays closed.',
  }),
  priority: optionalChoice({
    label: 'priority',
    values: Object.values(Priority),
    description: 'The new priority.',
  }),
  assignee_id: optionalText({
    label: 'assignee (assignee_id)',
    max: ANY_LENGTH,
    description: 'The id of a teammate from GET /teammates, or `none`.',
    example: exampleTeammate.id,
  }),
  team_id: optionalText({
    label: 'team (team_id)',
    max: ANY_LENGTH,
    description: 'The id of a team from GET /teams, or `none`.',
    example: exampleTeam.id,
  }),
  snoozed_until: snoozedUntil,
});

export const updateInput = updateBody.refine(
  ({ id: _, ...fields }) => Object.values(fields).some((value) => value !== undefined),
  { message: 'Send at least one of status, priority, assignee_id, team_id and snoozed_until.' },
);

/** The conversation that the path of an update names. */
export const UPDATED_CONVERSATION: RecordCheck = {
  ...CONVERSATION,
  findProblems: (which, input) =>
    findUpdateProblems({ ...which, changes: changesOf(parseValidFields(updateBody.shape, input)) }),
};

export function changesOf(fields: Partial<z.output<typeof updateBody>>): ConversationChanges {
  return {
    status: fields.status,
    priority: fields.priority,
    assigneeId: orNull(fields.assignee_id),
    teamId: orNull(fields.team_id),
    snoozedUntil: fields.snoozed_until,
  };
}

/** Returns null for the word that means nobody or no team. */
export function orNull(id: string | undefined): string | null | undefined {
  return id === 'none' ? null : id;
}
