import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { fieldErrors } from '#server/contract/fields.ts';
import { type FieldErrors, refusalIn, STATUSES } from '#server/core/errors.ts';

/** An error response of the API. Its body has no other keys (docs/spec.md §7). */
export type ErrorResponse = {
  status: number;
  body: { message: string; errors?: FieldErrors };
  headers?: Record<string, string>;
};

/** Returns the `422` for invalid fields. `message` is the first field's first sentence. */
export function invalidResponse(errors: FieldErrors): ErrorResponse {
  const message = Object.values(errors)[0]?.[0] ?? 'The request is not valid.';
  return { status: 422, body: { message, errors } };
}

/** Returns the `401`, with the challenge that RFC 6750 §3 requires. */
export function unauthorizedResponse(message: string): ErrorResponse {
  return { status: 401, body: { message }, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
}

/** Turns an error of a procedure into a response. Returns undefined for a fault of the service. */
export function errorResponse(error: unknown): ErrorResponse | undefined {
  const refusal = refusalIn(error);
  if (refusal?.refusal === 'connection_ended') return unauthorizedResponse(refusal.message);
  if (refusal?.errors) return invalidResponse(refusal.errors);
  if (refusal) return { status: STATUSES[refusal.refusal], body: { message: refusal.message } };
  if (isInvalidInput(error)) return invalidResponse(fieldErrors(error.cause));
  return undefined;
}

/** Returns whether the schema of a procedure refused its input. */
function isInvalidInput(error: unknown): error is TRPCError & { cause: z.ZodError } {
  return error instanceof TRPCError && error.code === 'BAD_REQUEST' && error.cause instanceof z.ZodError;
}
