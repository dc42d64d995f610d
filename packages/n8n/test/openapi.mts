import { readFileSync } from 'node:fs';

type Schema = { enum?: unknown[] };
type Operation = {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: {
    content: { 'application/json': { schema: { properties: Record<string, Schema>; required?: string[] } } };
  };
};
type Document = { webhooks: Record<string, unknown>; paths: Record<string, Record<string, Operation>> };
const read = (file: string) => JSON.parse(readFileSync(`../../${file}`, 'utf8')) as Document;
const document = read('openapi.json');

export const eventKeys = () => Object.keys(document.webhooks);
/** Events of webhooks. */
export const loggedEventKeys = () => Object.keys(read('openapi-developer.json').webhooks);

/** Returns the inputs of an operation in body and query by name, with whether each is required and its enum values. */
export function inputsOf(method: string, path: string) {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`openapi.json has no ${method} ${path}.`);
  const { properties = {}, required = [] } = operation.requestBody?.content['application/json'].schema ?? {};
  const values = (schema: Schema) =>
    schema.enum
      ?.filter((value) => value !== null && value !== '')
      .map(String)
      .sort();
  const ofBody = Object.entries(properties).map(
    ([key, schema]) => [key, { required: required.includes(key), values: values(schema) }] as const,
  );
  const ofQuery = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, { required: false, values: values(schema) }] as const);
  return Object.fromEntries([...ofBody, ...ofQuery]);
}
