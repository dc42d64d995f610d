import type { oas31 } from 'zod-openapi';
import { exampleContact, exampleConversation, exampleHook } from '#server/contract/record-examples.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;
/** The schemas of a document, by name. */
export type Schemas = Record<string, Schema>;

const SCHEMAS_REF = '#/components/schemas/';

/** The schema itself, be it written here or referred to. */
function resolved(schema: Schema, schemas: Schemas): oas31.SchemaObject {
  if (!('$ref' in schema)) return schema;
  const named = schemas[schema.$ref.slice(SCHEMAS_REF.length)];
  if (!named) throw new Error(`There is no schema ${schema.$ref}.`);
  return resolved(named, schemas);
}

/**
 * An example of a schema: its own, else its first value, else put together from those of its items or
 * properties, else none.
 * @param known examples of properties whose schemas have none
 */
export function exampleOf(schema: Schema, schemas: Schemas, known: Record<string, unknown> = {}): unknown {
  const { examples, enum: values, items, properties } = resolved(schema, schemas);
  if (examples?.length) return examples[0];
  if (values?.length) return values[0];
  if (items && !Array.isArray(items)) {
    const item = exampleOf(items, schemas);
    return item === undefined ? undefined : [item];
  }
  if (!properties) return undefined;
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, known[name] ?? exampleOf(field, schemas)] as const,
  );
  return Object.fromEntries(fields.filter(([, example]) => example !== undefined));
}

/** Examples of the id in a path, by what is before it. */
const IDS: Record<string, string> = {
  contacts: exampleContact.id,
  conversations: exampleConversation.id,
  hooks: exampleHook.id,
};

/** Examples of parameters that mean the same wherever they are. */
const PARAMETERS: Record<string, string> = {
  event: 'conversation.status_changed',
  status: 'solved',
  tag: 'shipping',
  command: 'refund',
  email: exampleContact.email,
  contact_email: exampleContact.email,
  phone: exampleContact.phone,
};

/** An example of a parameter: its own, else the one that all of its name have. */
export function parameterExample(
  { name, in: place, schema }: oas31.ParameterObject,
  path: string,
  schemas: Schemas,
): unknown {
  const own = schema && exampleOf(schema, schemas);
  if (own !== undefined) return own;
  if (name !== 'id') return PARAMETERS[name];
  return place === 'path' ? IDS[path.split('/')[1] ?? ''] : exampleConversation.id;
}
