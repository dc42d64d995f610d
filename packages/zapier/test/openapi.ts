import { readFileSync } from 'node:fs';
import { isObject } from './definition.ts';

type Json = Record<string, unknown>;
const document = JSON.parse(readFileSync('../../openapi.json', 'utf8')) as Json;

function at(...path: string[]): Json {
  let value: unknown = document;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  if (!isObject(value)) throw new Error(`openapi.json has no ${path.join(' ')}.`);
  return value;
}

/** What a schema says once its references are followed, and `null` as another possibility is left out. */
function resolve(schema: unknown): Json {
  if (!isObject(schema)) throw new Error('This is no schema.');
  if (typeof schema.$ref === 'string') return resolve(at(...schema.$ref.slice(2).split('/')));
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf.filter((each) => each.type !== 'null') : [];
  return choices.length === 1 ? resolve(choices[0]) : schema;
}

/** A field of a record, as the platform writes its key. */
export type Field = { key: string; type: string };

/** The fields that a schema of the document shows, those of inner objects after two underscores. */
export function fieldsOf(schema: unknown, before = ''): Field[] {
  const { properties } = resolve(schema) as { properties: Json };
  return Object.entries(properties).flatMap(([name, inner]) => {
    const field = resolve(inner);
    if (isObject(field.properties)) return fieldsOf(field, `${before}${name}__`);
    const type = field.format === 'date-time' ? 'datetime' : String(field.type ?? 'string');
    return [{ key: `${before}${name}`, type }];
  });
}

export const schemaOf = (name: string) => at('components', 'schemas', name);

export const EVENT_KEYS = Object.keys(at('webhooks'));
export const eventSchema = (event: string) =>
  resolve(at('webhooks', event, 'post', 'requestBody', 'content', 'application/json').schema);

/** What can be sent to an operation: of a body, or of the query. */
export type Input = { key: string; required: boolean; values: string[] | undefined };

export function inputsOf(method: string, path: string): Input[] {
  const operation = at('paths', path, method.toLowerCase());
  const body = isObject(operation.requestBody)
    ? resolve(at('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json').schema)
    : { properties: {}, required: [] };
  const required = (body.required ?? []) as string[];
  const parameters = (operation.parameters ?? []) as Json[];
  return [
    ...Object.entries(body.properties as Json).map(([key, schema]) => ({
      key,
      required: required.includes(key),
      values: valuesOf(schema),
    })),
    ...parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => ({ key: String(name), required: false, values: valuesOf(schema) })),
  ];
}

function valuesOf(schema: unknown): string[] | undefined {
  const { enum: values } = schema as { enum?: unknown[] };
  return values?.filter((value) => value !== null && value !== '').map(String);
}
