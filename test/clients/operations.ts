import { openApiDocument } from '#server/api/openapi/document.ts';

/** An operation of the API, read from the OpenAPI document. */
export type Operation = {
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  pathParameters: string[];
  queryParameters: string[];
  /** The fields of the body and an example; undefined without a body. */
  body: { fields: string[]; example: Record<string, unknown> } | undefined;
  statuses: number[];
};

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/**
 * Lists every operation that needs a token, from the OpenAPI document. Generated tests thereby include new
 * operations.
 */
export function operations(): Operation[] {
  return Object.entries(openApiDocument.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method): Operation[] => {
      const operation =
        item[method === 'GET' ? 'get' : method === 'POST' ? 'post' : method === 'PATCH' ? 'patch' : 'delete'];
      if (!operation || operation.security?.length === 0) return [];
      return [
        {
          name: `${method} ${path}`,
          method,
          path,
          pathParameters: parameters(operation, 'path'),
          queryParameters: parameters(operation, 'query'),
          body: bodyOf(operation.requestBody),
          statuses: Object.keys(operation.responses ?? {}).map(Number),
        },
      ];
    }),
  );
}

function parameters(operation: { parameters?: unknown[] | undefined }, place: string): string[] {
  return (operation.parameters ?? []).flatMap((parameter) =>
    isRecord(parameter) && parameter.in === place ? [String(parameter.name)] : [],
  );
}

function bodyOf(requestBody: unknown): Operation['body'] {
  const content = at(at(requestBody, 'content'), 'application/json');
  const properties = at(at(content, 'schema'), 'properties');
  if (!isRecord(properties)) return undefined;
  const example = at(content, 'example');
  return { fields: Object.keys(properties), example: isRecord(example) ? example : {} };
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
