import { generateOpenApiDocument } from 'trpc-openapi';
import { API_PATH } from '#server/env.ts';
import { restRouter } from '#server/rest/api-router.ts';

/** The contract as an OpenAPI 3.1 document, made from the procedures. `servers` is relative to the service. */
export const openApiDocument = generateOpenApiDocument(restRouter, {
  title: 'Automation API',
  description: 'Lets a workflow platform act in a workspace as the teammate who connected it.',
  version: '1',
  openApiVersion: '3.1.0',
  baseUrl: API_PATH,
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
});
