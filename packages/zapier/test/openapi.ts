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

/** Follows the references of a schema and removes `null` from its alternatives and types. */
function resolve(schema: unknown): Json {
  if (!isObject(schema)) throw new Error('Not a schema.');
  if (typeof schema.$ref === 'string') return resolve(at(...schema.$ref.slice(2).split('/')));
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf.filter((each) => each.type !== 'null') : [];
  if (choices.length === 1) return resolve(choices[0]);
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== 'null') : [];
  return types.length === 1 ? { ...schema, type: types[0] } : schema;
}

/** A field of a record, with its key in Zapier's form. */
export type Field = { key: string; type: string };

/** Returns the fields of a schema, with two underscores before the keys of nested objects. */
export function fieldsOf(schema: unknown, prefix = ''): Field[] {
  const { properties } = resolve(schema) as { properties: Json };
  return Object.entries(properties).flatMap(([name, inner]) => {
    const field = resolve(inner);
    if (isObject(field.properties)) return fieldsOf(field, `${prefix}${name}__`);
    const type = field.format === 'date-time' ? 'datetime' : String(field.type ?? 'string');
    return [{ key: `${prefix}${name}`, type }];
  });
}

export const schemaOf = (name: string) => at('components', 'schemas', name);

export const EVENT_KEYS = Object.keys(at('webhooks'));
export const eventSchema = (event: string) =>
  resolve(at('webhooks', event, 'post', 'requestBody', 'content', 'application/json').schema);

/** An input of an operation, in the body or the query. */
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
