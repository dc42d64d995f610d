import { z } from 'zod';
import { parseEventCursor, writeEventCursor } from '#server/automation/event-log/event-cursor.ts';
import { readEvents } from '#server/automation/event-log/read-events.ts';
import { EVENT_ACTORS } from '#server/contract/event-actor.ts';
import { loggedEventRecord } from '#server/contract/logged-event.ts';
import { LOGGED_EVENT_KEYS } from '#server/contract/program-events.ts';
import { exampleContact } from '#server/contract/record-examples.ts';
import { idField, textField, timestampField } from '#server/contract/record-schemas.ts';
import { pageQuery, queryField } from '#server/developer-api/pages.ts';
import { developer, developerProcedure } from '#server/developer-api/procedures.ts';

const exampleEvent = {
  id: '01a4d7f1-02b3-7d5e-9c8f-1a2b3c4d5e6f',
  type: 'contact.created' as const,
  timestamp: exampleContact.created_at,
  actor: { type: 'teammate' as const, id: '01a0b2c4-2b3c-7d4e-8f50-6172839405b6', name: 'Olivia Owen' },
  caused_by: null,
  data: { contact: exampleContact },
};

/** An event, in the log and in webhooks. */
export const loggedEventSchema = z
  .object({
    id: idField('The id of the event, the same in every delivery.'),
    type: z.enum(LOGGED_EVENT_KEYS).meta({ description: 'What happened.' }),
    timestamp: timestampField('When it happened.'),
    actor: z
      .object({
        type: z.enum(EVENT_ACTORS).meta({
          description:
            'Who caused the event. `platform`: the workflow platform, as the teammate with this id. `program`: an API ' +
            'token. `automation`: an automation of the workspace, or the service itself.',
        }),
        id: z
          .uuid()
          .nullable()
          .meta({ description: 'The id of the teammate, contact or API token, if any.' }),
        name: z.string().nullable().meta({ description: 'Their name, or the label of the token.' }),
      })
      .meta({ description: 'Who caused the event.' }),
    caused_by: z
      .object({
        type: z.enum(['connection', 'token']),
        id: idField('The id of the connection of the platform or of the API token.'),
      })
      .nullable()
      .meta({ description: 'The connection or API token through which it was caused, if any.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'The records as they were right after the change, and what the event adds to them.',
    }),
  })
  .meta({
    id: 'LoggedEvent',
    description: 'An event of the workspace.',
    examples: [exampleEvent],
  });

const eventPageSchema = z
  .object({
    data: z.array(loggedEventSchema).meta({ description: 'The events, oldest first.' }),
    has_more: z.boolean().meta({ description: 'True if there are more events now.' }),
    next_cursor: textField(
      'Pass it as `after` in the next request. It is valid for the days that events are kept.',
    ),
  })
  .meta({
    id: 'EventPage',
    description: 'A page of events.',
    examples: [
      {
        data: [exampleEvent],
        has_more: false,
        next_cursor: writeEventCursor({
          position: '73014',
          eventId: exampleEvent.id,
          seconds: 1_795_242_569,
        }),
      },
    ],
  });

const after = queryField(
  {
    description:
      'The `next_cursor` of the page before. Without it, the list starts with the oldest event; `now` skips all earlier ones.',
    example: 'now',
    schema: { type: 'string' },
  },
  {
    read: (text) => (text === 'now' ? text : parseEventCursor(text)),
    missing: undefined,
    problem: 'The cursor (after) is not valid. Send the next_cursor of a page, or now.',
  },
);

export const eventProcedures = developer.router({
  list: developerProcedure('read', {
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    tags: ['Events'],
    summary: 'List events',
    description:
      'Returns the events of the workspace in the order in which they were recorded: a page never has an event that is ' +
      'earlier than one of a previous page, so who missed deliveries catches up from here. Events of spam and deleted ' +
      'conversations are left out, except `conversation.deleted`, so a page may have fewer events than `limit` although `has_more` is true.',
    successDescription: 'A page of events.',
    errorResponses: { 422: 'The cursor or the limit is not valid, or the cursor is too old.' },
  })
    .input(z.object({ after, limit: pageQuery.limit }))
    .output(eventPageSchema)
    .query(async ({ ctx: { program }, input }) => {
      const page = await readEvents({ workspaceId: program.workspace.id, ...input });
      return {
        data: page.events.map(loggedEventRecord),
        has_more: page.hasMore,
        next_cursor: writeEventCursor(page.next),
      };
    }),
});
