import { z } from 'zod';
import { apiProcedure, refuseUnknown } from '#server/api/procedures.ts';
import { workflowActor } from '#server/api/workflow-actor.ts';
import { optionalChoice, optionalText, pathParameter } from '#server/contract/fields.ts';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import { conversationExists } from '#server/inbox/conversations/conversation-exists.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';

const NO_ASSIGNEE = ['none', 'unassigned'];
const NO_TEAM = ['none', 'no_team'];
/** For an id, of which all unknown ones are answered alike. */
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

/** PATCH /conversations/{id} (spec.md §4.2). */
export const updateConversationProcedure = apiProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/conversations/{id}',
      operationId: 'updateConversation',
      tags: ['Conversations'],
      summary: 'Update a conversation',
      description:
        'Changes the fields that are sent with a value, all or nothing; the others stay. At least one must be ' +
        'sent. Each change that really happens emits its event; a value that is set already changes nothing.',
      errorResponses: {
        404: 'The workspace has no conversation with this id.',
        422: 'No field was sent, a value is not possible, or the conversation was merged into another one.',
      },
    },
  })
  .use(refuseUnknown('The conversation', conversationExists))
  .input(
    body.refine(({ id: _, ...fields }) => Object.values(fields).some((value) => value !== undefined), {
      message: 'Send at least one of status, priority, assignee_id and team_id.',
    }),
  )
  .output(conversationSchema)
  .mutation(({ ctx: { caller }, input }) =>
    updateConversation({
      workspaceId: caller.workspace.id,
      id: input.id,
      actor: workflowActor(caller),
      changes: {
        status: input.status,
        priority: input.priority,
        assigneeId: orNull(input.assignee_id, NO_ASSIGNEE),
        teamId: orNull(input.team_id, NO_TEAM),
      },
    }),
  );

/** Null for the words that mean no one or none. */
function orNull(value: string | undefined, none: string[]): string | null | undefined {
  return value !== undefined && none.includes(value) ? null : value;
}
