import { generateOpenApiDocument } from 'trpc-openapi';
import type { oas31 } from 'zod-openapi';
import { errorResponses } from '#server/api/openapi/errors.ts';
import type { Schemas } from '#server/api/openapi/examples.ts';
import { headers } from '#server/api/openapi/headers.ts';
import { errorSchemas } from '#server/api/openapi/openapi-error-schemas.ts';
import { DOCUMENT_PATH, documentOperation } from '#server/api/openapi/openapi-self.ts';
import { describeWebhooks } from '#server/api/openapi/openapi-webhooks.ts';
import { completeOperation } from '#server/api/openapi/operation.ts';
import { apiOperations } from '#server/api/openapi/operations.ts';
import { info, securitySchemes, tags } from '#server/api/openapi/texts.ts';
import { restRouter } from '#server/api/router.ts';
import { API_PATH } from '#server/core/env.ts';

/**
 * The contract as an OpenAPI 3.1 document (spec.md §4.2, §6, §7, §8), made from the procedures: trpc-openapi reads
 * their inputs and outputs; the responses, headers and examples are ours. `servers` is relative to the service.
 */
export const openApiDocument: oas31.OpenAPIObject = makeDocument();

/** The document as it is served, and as it is in `openapi.json`. */
export const openApiJson = `${JSON.stringify(openApiDocument, null, 2)}\n`;

function makeDocument(): oas31.OpenAPIObject {
  const generated = generateOpenApiDocument(restRouter, {
    ...info,
    openApiVersion: '3.1.0',
    baseUrl: API_PATH,
    securitySchemes,
  });
  const { webhooks, schemas: eventSchemas } = describeWebhooks();
  const schemas = byName({ ...recordSchemas(generated), ...eventSchemas, ...errorSchemas });
  const paths: oas31.PathsObject = {};
  for (const operation of apiOperations(restRouter)) {
    const { path, method } = operation;
    const made = generated.paths?.[path]?.[method];
    if (made) paths[path] = { ...paths[path], [method]: completeOperation(operation, made, schemas) };
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: API_PATH, description: 'The service that serves this document.' }],
    tags,
    paths: { ...paths, [DOCUMENT_PATH]: { get: documentOperation } },
    webhooks,
    components: { schemas, responses: errorResponses, headers, securitySchemes },
  };
}

/** The schemas that trpc-openapi gathered, without those of its own errors, which we never send. */
function recordSchemas({ components }: oas31.OpenAPIObject): Schemas {
  const named = Object.entries(components?.schemas ?? {});
  return Object.fromEntries(named.filter(([name]) => !name.startsWith('error.')));
}

function byName(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}
