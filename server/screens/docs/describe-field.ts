import { type Contract, refName, type Schema } from '#server/screens/docs/openapi-schema.ts';
import type { FieldView } from '#server/screens/docs/views.ts';

/** Describes a field of the OpenAPI document for the reference. */
export function describeField(
  contract: Contract,
  { name, schema, required }: { name: string; schema: Schema; required: boolean },
): FieldView {
  const { alternatives, isNullable } = withoutNull(schema);
  const type = [...new Set(alternatives.map(typeName)), ...(isNullable ? ['null'] : [])].join(' or ');
  const values = alternatives.flatMap(({ enum: values = [], const: value }) =>
    value === undefined ? values : [value],
  );
  return {
    name,
    type,
    record: alternatives.map(recordName).find((record) => record !== null) ?? null,
    required,
    description:
      [schema, ...alternatives]
        .map((each) => descriptionOf(contract, each))
        .find((text) => text !== undefined) ?? '',
    limits: alternatives.flatMap(limitsOf),
    values: values.filter((value): value is string => typeof value === 'string' && value !== ''),
  };
}

/** Describes the fields of an object, in their order. */
export function describeFields(contract: Contract, { properties = {}, required = [] }: Schema): FieldView[] {
  return Object.entries(properties).map(([name, field]) =>
    describeField(contract, { name, schema: field, required: required.includes(name) }),
  );
}

/** Returns the name of the record that the schema is, or that its items are. */
export function recordName({ $ref, items }: Schema): string | null {
  if ($ref) return refName($ref);
  return items ? recordName(items) : null;
}

/** Returns the schema's description, or else that of the referenced record. */
function descriptionOf(contract: Contract, { description, $ref }: Schema): string | undefined {
  return description ?? ($ref ? contract.components.schemas[refName($ref)]?.description : undefined);
}

/** `null` can be one of the types or one of the alternatives. */
function withoutNull(schema: Schema): { alternatives: Schema[]; isNullable: boolean } {
  const all = schema.anyOf ?? [schema];
  const alternatives = all
    .map((one) => ({ ...one, type: typesOf(one).filter((type) => type !== 'null') }))
    .filter(({ type, $ref }) => $ref !== undefined || type.length > 0);
  return { alternatives, isNullable: all.some((one) => typesOf(one).includes('null')) };
}

function typesOf({ type = [] }: Schema): string[] {
  return Array.isArray(type) ? type : [type];
}

function typeName(schema: Schema): string {
  if (schema.$ref) return refName(schema.$ref);
  if (schema.items)
    return `array of ${schema.items.$ref ? refName(schema.items.$ref) : `${typeName(schema.items)}s`}`;
  if (schema.format === 'date-time') return 'time';
  if (schema.format === 'uuid') return 'UUID';
  return typesOf(schema).join(' or ');
}

function limitsOf({ maxLength, minimum, maximum, format }: Schema): string[] {
  const length = maxLength === undefined ? [] : [`at most ${maxLength.toLocaleString('en')} characters`];
  const kind = format === 'email' ? ['an email address'] : [];
  if (minimum !== undefined && maximum !== undefined && maximum < 1e6) {
    return [...kind, ...length, `${minimum} to ${maximum}`];
  }
  return [...kind, ...length];
}
