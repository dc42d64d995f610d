import { readFileSync } from 'node:fs';

type Content = { 'application/json': { example?: unknown } };
export type Parameter = { name: string; in: 'query' | 'path'; description: string };
type DocumentedResponse = { content?: Content };

export type Operation = {
  operationId: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, DocumentedResponse>;
  security?: unknown[];
};

/** Reads all operations from `openapi.json`. */
export function readOperations(): Operation[] {
  const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
}
