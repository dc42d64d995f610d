import { z } from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { Schemas } from '#server/api/openapi/examples.ts';
import { EVENT_KEYS, EVENTS, type EventKey } from '#server/contract/event-catalogue.ts';
import { exampleDelivery } from '#server/contract/event-examples.ts';
import { eventSchemas } from '#server/contract/event-schemas.ts';
import { idField } from '#server/contract/record-fields.ts';
import { schemaName } from '#server/contract/schema-name.ts';

/** The responses of a receiver, and what follows from each (spec.md §3). */
const RESPONSES = {
  '2XX': { description: 'Accepted. The event is delivered.' },
  '410': { description: 'The workflow is gone. The hook is removed, and nothing is sent to it again.' },
  '429': { description: 'Too fast. Sent again after 30 s, 2 min, 10 min and 30 min; the hook is paced.' },
  '4XX': { description: 'Not wanted. This event is dropped and not sent again.' },
  '5XX': {
    description:
      'The receiver failed. Sent again after 30 s, 2 min, 10 min and 30 min, five attempts in all; no response within ' +
      '15 s, a broken connection and a redirect count the same.',
  },
};

/** The deliveries of every event as `webhooks` of the document, with the schemas they refer to. */
export function describeWebhooks(): { webhooks: oas31.PathsObject; schemas: Schemas } {
  const webhooks = Object.fromEntries(EVENT_KEYS.map((key) => [key, { post: delivery(key) }]));
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    webhooks,
  });
  return { webhooks: document.webhooks ?? {}, schemas: document.components?.schemas ?? {} };
}

function delivery(key: EventKey): ZodOpenApiOperationObject {
  const { name, description, filter } = EVENTS[key];
  const only = filter ? ` A hook with a \`${filter}\` gets only those that match it.` : '';
  return {
    operationId: `on${schemaName(key)}`,
    summary: name,
    description: `${description}${only}`,
    tags: ['Events'],
    security: [],
    requestParams: { header: deliveryHeaders(key) },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: eventSchemas[key], example: exampleDelivery(key) } },
    },
    responses: RESPONSES,
  };
}

/** The headers of a delivery (spec.md §6) besides those of any JSON. */
function deliveryHeaders(key: EventKey) {
  return z.object({
    'User-Agent': z.literal('Service-Integration/1').meta({ description: 'The version of deliveries.' }),
    'X-Service-Event': z.literal(key).meta({ description: 'The key of the event, as in the body.' }),
    'X-Service-Delivery': idField('The id of the event, as in the body: the same in every attempt.').meta({
      examples: [exampleDelivery(key).id],
    }),
  });
}
