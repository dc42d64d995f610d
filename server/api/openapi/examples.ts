import type { oas31 } from 'zod-openapi';
import { exampleContact, exampleConversation, exampleHook } from '#server/contract/record-examples.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;
/** Schemas by name. */
export type Schemas = Record<string, Schema>;

const SCHEMAS_REF = '#/components/schemas/';

/** Follows references to the schema itself. */
function resolved(schema: Schema, schemas: Schemas): oas31.SchemaObject {
  if (!('$ref' in schema)) return schema;
  const named = schemas[schema.$ref.slice(SCHEMAS_REF.length)];
  if (!named) throw new Error(`There is no schema ${schema.$ref}.`);
  return resolved(named, schemas);
}

/**
 * Returns an example of a schema: its own example, its first enum value, or one built from its items or properties.
 * @param known examples for properties whose schemas have none
 * @returns undefined when there is nothing to build one from
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

/** Example ids, by the path segment before them. */
const IDS: Record<string, string> = {
  contacts: exampleContact.id,
  companies: exampleContact.company.id,
  conversations: exampleConversation.id,
  hooks: exampleHook.id,
  webhooks: '01a4d7f9-0c1d-7e2f-8a3b-4c5d6e7f8091',
};

/** Examples of parameters that mean the same in every operation. */
const PARAMETERS: Record<string, string> = {
  event: 'conversation.status_changed',
  status: 'solved',
  tag: 'shipping',
  command: 'refund',
  email: exampleContact.email,
  contact_email: exampleContact.email,
  phone: exampleContact.phone,
  delivery_id: '01a4d7fa-1b2c-7d3e-8f40-516273849506',
};

/** Returns the example of a parameter: its own, or that of its name. */
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
