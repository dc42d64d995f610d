import { z } from 'zod';
import { CONVERSATION, parseValidFields } from '#server/api/check-record.ts';
import { api, apiProcedure, refuseUnknown, workflowActor } from '#server/api/procedures.ts';
import {
  addNoteProcedure,
  addTagsProcedure,
  sendReplyProcedure,
} from '#server/api/replies-notes-and-tags.ts';
import {
  optionalChoice,
  optionalText,
  pathParameter,
  queryEmail,
  queryText,
} from '#server/contract/fields.ts';
import { newConversationInput } from '#server/contract/new-conversation-input.ts';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import { findConversation, findConversationsOf } from '#server/inbox/conversations/search-conversations.ts';
import {
  type ConversationChanges,
  findUpdateProblems,
  planUpdate,
} from '#server/inbox/conversations/update-conversation.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';

/** GET /conversations/search (docs/spec.md §4.2). */
const searchConversationsProcedure = apiProcedure({
  method: 'GET',
  path: '/conversations/search',
  operationId: 'searchConversations',
  tags: ['Conversations'],
  summary: 'Find conversations',
  description:
    'The conversation with this id, or the newest conversations of the contact with this email address, at most ' +
    '10, in one status if one is given. Merged conversations are never found. Without either the result is empty.',
  errorResponses: { 422: 'A parameter is too long, or the status is not one of the four.' },
})
  .input(
    z.object({
      id: queryText({
        label: 'conversation id (id)',
        max: Number.POSITIVE_INFINITY,
        description:
          'The id of a conversation. Takes precedence over the email address; an invalid id finds nothing.',
        example: '019f5c3e-7a10-7c3a-9d52-3f0b8e6a4d21',
      }),
      contact_email: queryEmail({
        label: 'contact’s email address (contact_email)',
        max: 255,
        description: 'The email address of a contact, in upper or lower case.',
        example: 'ada@engines.example',
      }),
      status: optionalChoice({
        label: 'status',
        values: Object.values(ConversationStatus),
        description: 'With an email address: only conversations now in this status.',
        inQuery: true,
      }),
    }),
  )
  .output(z.array(conversationSchema))
  .query(async ({ ctx: { caller }, input: { id, contact_email: email, status } }) => {
    const workspaceId = caller.workspace.id;
    if (id !== undefined) return findConversation(workspaceId, id);
    return email ? findConversationsOf(workspaceId, { email, status }) : [];
  });

/** POST /conversations (docs/spec.md §4.2). */
const createConversationProcedure = apiProcedure({
  method: 'POST',
  path: '/conversations',
  operationId: 'createConversation',
  tags: ['Conversations'],
  summary: 'Create a conversation',
  description:
    'Starts an email conversation from the workspace’s default mailbox with a contact, who is created when ' +
    'the address is new, and assigns it to the connecting teammate. The AI agent does not answer in it. Without a ' +
    'verified email domain the message is saved but not sent, and the response does not say so.',
  errorResponses: {
    422: 'A value is missing or not valid, or the address is the workspace’s own or a teammate’s.',
  },
})
  .input(newConversationInput)
  .output(conversationSchema)
  .mutation(({ ctx: { caller, write }, input }) =>
    write((tx) =>
      createConversation(tx, {
        workspaceId: caller.workspace.id,
        actor: workflowActor(caller),
        toEmail: input.to_email,
        toName: input.to_name,
        subject: input.subject,
        content: input.content,
      }),
    ),
  );

/** Ids have no maximum length: an overlong one is simply unknown. */
const ANY_LENGTH = Number.POSITIVE_INFINITY;

const body = z.object({
  id: pathParameter('The id of the conversation.'),
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
    description: 'The id of a teammate from GET /users, or none or unassigned to unassign it.',
    example: 'none',
  }),
  team_id: optionalText({
    label: 'team (team_id)',
    max: ANY_LENGTH,
    description: 'The id of a team from GET /teams, or none or no_team to remove it from its team.',
    example: 'no_team',
  }),
});

const updateInput = body.refine(
  ({ id: _, ...fields }) => Object.values(fields).some((value) => value !== undefined),
  { message: 'Send at least one of status, priority, assignee_id and team_id.' },
);

/** PATCH /conversations/{id} (docs/spec.md §4.2). */
const updateConversationProcedure = apiProcedure({
  method: 'PATCH',
  path: '/conversations/{id}',
  operationId: 'updateConversation',
  tags: ['Conversations'],
  summary: 'Update a conversation',
  description:
    'Changes only the fields that are sent with a value, all or nothing. At least one must be sent. ' +
    'Each actual change emits its event. Sending the current value changes nothing.',
  errorResponses: {
    404: 'The workspace has no conversation with this id.',
    422: 'No field was sent, a value is not possible, or the conversation was merged into another one.',
  },
})
  .use(
    refuseUnknown(updateInput, {
      ...CONVERSATION,
      findProblems: (which, input) =>
        findUpdateProblems({ ...which, changes: changesOf(parseValidFields(body.shape, input)) }),
    }),
  )
  .input(updateInput)
  .output(conversationSchema)
  .mutation(({ ctx: { caller, write }, input }) => {
    const which = { workspaceId: caller.workspace.id, id: input.id };
    const update = { ...which, actor: workflowActor(caller), changes: changesOf(input) };
    return write((tx) => planUpdate(tx, update));
  });

export const conversationsApi = api.router({
  search: searchConversationsProcedure,
  create: createConversationProcedure,
  update: updateConversationProcedure,
  reply: sendReplyProcedure,
  note: addNoteProcedure,
  tag: addTagsProcedure,
});

function changesOf(fields: Partial<z.output<typeof body>>): ConversationChanges {
  return {
    status: fields.status,
    priority: fields.priority,
    assigneeId: orNull(fields.assignee_id, NO_ASSIGNEE),
    teamId: orNull(fields.team_id, NO_TEAM),
  };
}

const NO_ASSIGNEE = ['none', 'unassigned'];
const NO_TEAM = ['none', 'no_team'];

/** Returns null for the words that remove the assignee or team. */
function orNull(value: string | undefined, none: string[]): string | null | undefined {
  return value !== undefined && none.includes(value) ? null : value;
}
