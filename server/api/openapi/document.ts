import { z } from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject } from 'zod-openapi';
import {
  allowNewFields,
  DOCUMENT_PATH,
  describeProcedures,
  documentOperation,
  toJson,
} from '#server/api/openapi/describe-procedures.ts';
import type { Schemas } from '#server/api/openapi/examples.ts';
import { DEVELOPERS, describeApi, describeToken, format, tags } from '#server/api/openapi/texts.ts';
import { restRouter } from '#server/api/router.ts';
import { EVENT_KEYS, EVENTS, type EventKey, schemaName } from '#server/contract/event-catalogue.ts';
import { exampleDelivery } from '#server/contract/event-examples.ts';
import { eventSchemas } from '#server/contract/event-schemas.ts';
import { idField } from '#server/contract/record-schemas.ts';
import { API_PATH, type Settings } from '#server/core/env.ts';

/** Responses of a receiver, and their effects (docs/spec.md §3). */
const RESPONSES = {
  '2XX': { description: 'Accepted. The event is delivered.' },
  '410': { description: 'The workflow is gone. The hook is removed, and nothing is sent to it again.' },
  '429': {
    description: 'Too fast. Retried after 30 s, 2 min, 10 min and 30 min, and the hook is slowed down.',
  },
  '4XX': { description: 'Rejected. The event is dropped and not retried.' },
  '5XX': {
    description:
      'The receiver failed. Retried after 30 s, 2 min, 10 min and 30 min, at most five attempts. No ' +
      'response within 15 s, a broken connection and a redirect count as failures too.',
  },
};

/**
 * The API as an OpenAPI 3.1 document (docs/spec.md §4.2, §6, §7, §8). trpc-openapi generates the inputs and outputs from the
 * procedures; responses, headers and examples are added here. Addresses are relative to the service.
 */
export const openApiDocument: oas31.OpenAPIObject = makeDocument();

/** The text of `openapi.json`. */
export const openApiJson = toJson(openApiDocument);

let served: { baseUrl: string; json: string } | undefined;

/**
 * Returns the document with absolute addresses and with this service as the contact, so that a tool that has saved it can call
 * the service.
 */
export function servedOpenApiJson({ BASE_URL, SERVICE_NAME }: Settings): string {
  if (served?.baseUrl !== BASE_URL) {
    const document: oas31.OpenAPIObject = {
      ...openApiDocument,
      info: describeApi(BASE_URL, { name: SERVICE_NAME, url: `${BASE_URL}/docs` }),
      servers: serversAt(BASE_URL),
      components: { ...openApiDocument.components, securitySchemes: describeToken(BASE_URL) },
    };
    served = { baseUrl: BASE_URL, json: toJson(document) };
  }
  return served.json;
}

function serversAt(baseUrl: string): oas31.ServerObject[] {
  return [{ url: `${baseUrl}${API_PATH}`, description: 'The service that serves this document.' }];
}

function makeDocument(): oas31.OpenAPIObject {
  const info = describeApi('', DEVELOPERS);
  const securitySchemes = describeToken('');
  const { webhooks, schemas } = describeWebhooks();
  const described = describeProcedures(restRouter, {
    info,
    basePath: API_PATH,
    securitySchemes,
    format,
    schemas,
  });
  return allowNewFields({
    openapi: '3.1.0',
    info,
    servers: serversAt(''),
    tags,
    paths: {
      ...described.paths,
      [DOCUMENT_PATH]: { get: documentOperation({ tag: 'Connection', title: info.title, format }) },
    },
    webhooks,
    components: {
      schemas: described.schemas,
      responses: format.responses,
      headers: format.headers,
      securitySchemes,
    },
  });
}

/** The document only changes with a release, so clients may cache it. */
export const DOCUMENT_HEADERS = { 'Cache-Control': 'public, max-age=300' };

/** Describes the deliveries as `webhooks`, with the schemas that they refer to. */
function describeWebhooks(): { webhooks: oas31.PathsObject; schemas: Schemas } {
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

/** Describes the headers of a delivery (docs/spec.md §6), without the standard ones. */
function deliveryHeaders(key: EventKey) {
  return z.object({
    'User-Agent': z.literal('Service-Integration/1').meta({ description: 'The version of deliveries.' }),
    'X-Service-Event': z.literal(key).meta({ description: 'The key of the event, as in the body.' }),
    'X-Service-Delivery': idField('The id of the event, as in the body: the same in every attempt.').meta({
      examples: [exampleDelivery(key).id],
    }),
  });
}
