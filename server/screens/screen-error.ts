import type { TRPC_ERROR_CODE_KEY } from '@trpc/server';
import { FAULT_MESSAGE, type FieldErrors, refusalIn, STATUSES } from '#server/core/errors.ts';

/** What a page learns of an error: of a refusal its sentences, as in the API; of a request that is wrong, and of our own fault, no details. */
export function screenError<Shape extends { message: string; data: { httpStatus: number } }>(
  shape: Shape,
  error: { code: TRPC_ERROR_CODE_KEY; message: string } & Error,
): Shape & { data: { errors?: FieldErrors } } {
  const { stack: _stack, ...data } = shape.data as Shape['data'] & { stack?: string };
  const refusal = refusalIn(error);
  if (refusal) {
    const { message, errors } = refusal;
    const shown = { ...data, httpStatus: STATUSES[refusal.refusal], ...(errors ? { errors } : {}) };
    return { ...shape, message, data: shown };
  }
  const message = messages[error.code] ?? FAULT_MESSAGE;
  return { ...shape, message, data };
}

/** Of errors that tRPC makes: its own words would hold the input. */
const messages: Partial<Record<TRPC_ERROR_CODE_KEY, string>> = {
  BAD_REQUEST: 'The request is not valid.',
  PARSE_ERROR: 'The request is not valid.',
  NOT_FOUND: 'There is nothing at this address.',
  METHOD_NOT_SUPPORTED: 'Nothing can be changed here.',
};
