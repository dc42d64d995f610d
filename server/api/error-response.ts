import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { fieldErrors } from '#server/contract/fields.ts';
import { type FieldErrors, refusalIn, STATUSES } from '#server/core/errors.ts';

/** An error as the contract answers it: `{message}` or `{message, errors}` and nothing else (spec.md §7). */
export type ErrorResponse = {
  status: number;
  body: { message: string; errors?: FieldErrors };
  headers?: Record<string, string>;
};

/** Invalid data under its fields; `message` is the first field's first sentence. */
export function invalidResponse(errors: FieldErrors): ErrorResponse {
  const message = Object.values(errors)[0]?.[0] ?? 'The request is not valid.';
  return { status: 422, body: { message, errors } };
}

/** The `401` of the contract. A token in the query string is never read, so this header is all there is to say. */
export function unauthorizedResponse(message: string): ErrorResponse {
  return { status: 401, body: { message }, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
}

/** Turns whatever a procedure threw into a response; undefined when the fault is ours. */
export function errorResponse(error: unknown): ErrorResponse | undefined {
  const refusal = refusalIn(error);
  if (refusal?.refusal === 'connection_ended') return unauthorizedResponse(refusal.message);
  if (refusal?.errors) return invalidResponse(refusal.errors);
  if (refusal) return { status: STATUSES[refusal.refusal], body: { message: refusal.message } };
  if (isInvalidInput(error)) return invalidResponse(fieldErrors(error.cause));
  return undefined;
}

/** Whether the input of a procedure was refused by its schema. */
export function isInvalidInput(error: unknown): error is TRPCError & { cause: z.ZodError } {
  return error instanceof TRPCError && error.code === 'BAD_REQUEST' && error.cause instanceof z.ZodError;
}
