import type { oas31 } from 'zod-openapi';
import { errorRef } from '#server/api/openapi/errors.ts';
import { headerRefs } from '#server/api/openapi/headers.ts';

/** Where the document is served, below `{api_base}` (decisions: requests and errors, 1). */
export const DOCUMENT_PATH = '/openapi.json';

/** It changes with a release alone, so that frequent readers need not ask us each time. */
export const DOCUMENT_HEADERS = { 'Cache-Control': 'public, max-age=300' };

/** The document, as one of its own operations. */
export const documentOperation: oas31.OperationObject = {
  operationId: 'getDocument',
  summary: 'Read this document',
  description: 'This description of the API, which needs no token.',
  tags: ['Connection'],
  security: [],
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document.',
      headers: headerRefs(),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['openapi', 'info', 'paths'],
            properties: {
              openapi: { type: 'string', const: '3.1.0' },
              info: { type: 'object' },
              paths: { type: 'object' },
            },
          },
          example: { openapi: '3.1.0', info: { title: 'Automation API', version: '1' }, paths: {} },
        },
      },
    },
    500: errorRef(500),
  },
};
