import type { z } from 'zod';
import type { FieldErrors } from '#server/core/errors.ts';

/** Issues by the field of the body they are in; those of array items under the field itself. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'body');
    errors[field] = [...(errors[field] ?? []), issue.message];
  }
  return errors;
}
