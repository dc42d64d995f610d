import { z } from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject } from 'zod-openapi';
import { EVENTS, isEventKey } from '#server/contract/event-catalogue.ts';
import { exampleLoggedEvent } from '#server/contract/program-event-examples.ts';
import { loggedExtras } from '#server/contract/program-event-schemas.ts';
import { LOGGED_EVENT_KEYS, type LoggedEventKey, PROGRAM_EVENTS } from '#server/contract/program-events.ts';
import { idField } from '#server/contract/record-schemas.ts';
import { loggedEventSchema } from '#server/developer-api/events.ts';

type Schemas = NonNullable<oas31.ComponentsObject['schemas']>;

const HEADERS = z.object({
  'User-Agent': z.literal('Service-Webhooks/1').meta({ description: 'The version of deliveries.' }),
  'webhook-id': idField('The id of the event, as in the body: the same at every attempt.'),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'The time of the attempt, in seconds since 1970.', examples: ['1795242569'] }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots, in base64. After a rotation of the secret two, ' +
      'separated by a space.',
    examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  }),
});

const RESPONSES = {
  '2XX': { description: 'The event was received.' },
  '410': { description: 'The webhook is paused.' },
  default: { description: 'The event is sent again later.' },
};

/** Describes the events that webhooks get, with the schemas that they refer to. */
export function describeWebhooks(): { webhooks: oas31.PathsObject; schemas: Schemas } {
  const webhooks = Object.fromEntries(LOGGED_EVENT_KEYS.map((key) => [key, { post: operationOf(key) }]));
  const document = createDocument({ openapi: '3.1.0', info: { title: '', version: '' }, webhooks });
  return { webhooks: document.webhooks ?? {}, schemas: document.components?.schemas ?? {} };
}

function operationOf(key: LoggedEventKey): ZodOpenApiOperationObject {
  const description = isEventKey(key) ? EVENTS[key].description : PROGRAM_EVENTS[key];
  const name = key
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  const schema = z
    .object({
      ...loggedEventSchema.shape,
      type: z.literal(key).meta({ description: 'What happened.' }),
      data: z
        .object(loggedExtras[key])
        .meta({ description: 'The records right after the change, and what the event adds to them.' }),
    })
    .meta({ id: `${name}Event`, description });
  return {
    operationId: `on${name}`,
    summary: key,
    description,
    tags: ['Webhooks'],
    security: [],
    requestParams: { header: HEADERS },
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleLoggedEvent(key) } },
    },
    responses: RESPONSES,
  };
}
