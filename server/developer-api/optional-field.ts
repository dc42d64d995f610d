import { z } from 'zod';

/**
 * An optional field that is no text. `null` and a blank text count as not sent, as in every body of the API.
 * @param schema its schema in the document, with `null` among the types
 */
export function optionalField<Field extends z.ZodType>(
  field: Field,
  { schema, ...texts }: { schema: object; description: string; examples?: unknown[] },
) {
  return z
    .preprocess((value) => (isBlank(value) ? undefined : value), field.nullish())
    .transform((value) => value ?? undefined)
    .meta({
      ...texts,
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, schema);
      },
    });
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
