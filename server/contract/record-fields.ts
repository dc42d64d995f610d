import { z } from 'zod';

/** A time as the contract writes it: milliseconds and the offset `+00:00`, never `Z` (decisions: values, 2). */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/;

/** A point in time. */
export function timestampField(description: string) {
  return z
    .string()
    .regex(TIMESTAMP)
    .meta({ description, override: { type: 'string', format: 'date-time' } });
}

/** The id of a record: a UUID. The pattern of its format says nothing to a reader and is left out. */
export function idField(description: string) {
  return z.uuid().meta({ description, override: ({ jsonSchema }) => void delete jsonSchema.pattern });
}

/** A text that is always there. */
export function textField(description: string) {
  return z.string().meta({ description });
}

/** An absolute address. */
export function urlField(description: string) {
  return z.url().meta({ description });
}
