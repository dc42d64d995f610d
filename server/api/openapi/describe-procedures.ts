import type { AnyRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-openapi';
import type { oas31 } from 'zod-openapi';
import type { Schemas } from '#server/api/openapi/examples.ts';
import { apiOperations, completeOperation } from '#server/api/openapi/operations.ts';
import { type DocumentFormat, errorRef, errorSchemas, headerRefs } from '#server/api/openapi/responses.ts';

/** Path of an API's document, below its address (docs/rulings.md 2.1). */
export const DOCUMENT_PATH = '/openapi.json';

/** Describes the operation that returns the document itself. */
export function documentOperation({
  tag,
  title,
  format,
}: {
  tag: string;
  title: string;
  format: DocumentFormat;
}): oas31.OperationObject {
  return {
    operationId: 'getDocument',
    summary: 'Read this document',
    description: 'Returns this document. Needs no token.',
    tags: [tag],
    security: [],
    responses: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        headers: headerRefs(format, []),
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
            example: { openapi: '3.1.0', info: { title, version: '1' }, paths: {} },
          },
        },
      },
      400: errorRef(400),
      500: errorRef(500),
    },
  };
}

/**
 * Describes the procedures of a router. trpc-openapi generates inputs and outputs; responses, headers and examples are added
 * here.
 * @param schemas further schemas of the document
 */
export function describeProcedures(
  router: AnyRouter,
  options: {
    info: oas31.InfoObject;
    basePath: string;
    securitySchemes: Record<string, oas31.SecuritySchemeObject>;
    format: DocumentFormat;
    schemas: Schemas;
  },
): { paths: oas31.PathsObject; schemas: Schemas } {
  const { info, basePath, securitySchemes, format } = options;
  const generated = generateOpenApiDocument(router, {
    ...info,
    openApiVersion: '3.1.0',
    baseUrl: basePath,
    securitySchemes,
  });
  const schemas = byName({ ...recordSchemas(generated), ...options.schemas, ...errorSchemas });
  const paths: oas31.PathsObject = {};
  for (const operation of apiOperations(router)) {
    const { path, method } = operation;
    const made = generated.paths?.[path]?.[method];
    if (made) {
      paths[path] = { ...paths[path], [method]: completeOperation(operation, made, { schemas, format }) };
    }
  }
  return { paths, schemas };
}

/** Lets clients accept records with fields that later versions add. */
export function allowNewFields<T>(value: T): T {
  if (Array.isArray(value)) return value.map(allowNewFields) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, inner]) => !(key === 'additionalProperties' && inner === false),
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, allowNewFields(inner)])) as T;
}

/** Returns the text of a committed or served document. */
export function toJson(document: oas31.OpenAPIObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns the schemas of trpc-openapi without its error schemas, because its errors are never sent. */
function recordSchemas({ components }: oas31.OpenAPIObject): Schemas {
  const named = Object.entries(components?.schemas ?? {});
  return Object.fromEntries(named.filter(([name]) => !name.startsWith('error.')));
}

function byName(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}
