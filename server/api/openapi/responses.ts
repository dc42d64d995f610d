import type { oas31 } from 'zod-openapi';
import { FAULT_MESSAGE } from '#server/core/errors.ts';

const count = { type: 'integer', minimum: 0 } as const;

/** Response headers by name. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request, as in the service’s logs. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: '5f0c7a52-3c0e-4a57-9f3d-6b8f2f7a9e10',
  },
  'X-RateLimit-Limit': {
    description: 'Maximum number of calls of the connection per minute.',
    required: true,
    schema: count,
    example: 300,
  },
  'X-RateLimit-Remaining': {
    description: 'Number of calls that are left.',
    required: true,
    schema: count,
    example: 299,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next call.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'Idempotent-Replayed': {
    description:
      'Present when this is the stored response of an earlier call with the same `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'Reports that the token is not valid.',
    required: true,
    schema: { type: 'string', const: 'Bearer error="invalid_token"' },
    example: 'Bearer error="invalid_token"',
  },
} satisfies Record<string, oas31.HeaderObject>;

export type HeaderName = keyof typeof headers;

/** Returns references to headers, including `X-Request-Id`, which every response has. */
export function headerRefs(...names: HeaderName[]): oas31.HeadersObject {
  return Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Headers of every response to a call with a valid token. */
export const AUTHENTICATED: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'];

function errorResponse(
  description: string,
  example: object,
  { names = AUTHENTICATED, schema = 'Error' as keyof typeof errorSchemas } = {},
): oas31.ResponseObject {
  return {
    description,
    headers: headerRefs(...names),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } },
  };
}

const sentence = { type: 'string', minLength: 1 } as const;

/** The two error bodies (docs/spec.md §7). They allow no other keys. */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'What went wrong.',
    required: ['message'],
    properties: { message: { ...sentence, description: 'A sentence for people.' } },
    additionalProperties: false,
    examples: [{ message: 'The conversation was not found.' }],
  },
  ValidationError: {
    type: 'object',
    description: 'Errors of the values that were sent, by field.',
    required: ['message', 'errors'],
    properties: {
      message: { ...sentence, description: 'The first message of the first field.' },
      errors: {
        type: 'object',
        description:
          'Messages by field. Errors of the body as a whole are under `body`, a merged conversation under ' +
          '`conversation`, too many hooks under `hooks`.',
        minProperties: 1,
        additionalProperties: { type: 'array', minItems: 1, items: sentence },
      },
    },
    additionalProperties: false,
    examples: [
      {
        message: 'The subject is required.',
        errors: {
          subject: ['The subject is required.'],
          content: ['The content must be at most 8,000 characters.'],
        },
      },
    ],
  },
} satisfies Record<string, oas31.SchemaObject>;

/** Error responses by component name. */
export const errorResponses = {
  Malformed: errorResponse(
    'The `Idempotency-Key` is malformed, or the request is not valid HTTP, for example because it has no `Host` header.',
    { message: 'The request must have exactly one Host header.' },
    { names: [] },
  ),
  Unauthorized: errorResponse(
    'The access token is missing, unknown, expired or revoked. Refresh it; when that fails, the teammate must connect again.',
    { message: 'The connection has expired, reconnect.' },
    { names: ['WWW-Authenticate'] },
  ),
  PlanNeeded: errorResponse(
    'The plan of the workspace does not include this. `message` names the plan that does.',
    {
      message: 'Internal notes need the Growth plan or higher.',
    },
  ),
  Forbidden: errorResponse('The connecting teammate is no longer an owner or admin of the workspace.', {
    message: 'The connecting teammate needs to be an owner or admin of the workspace.',
  }),
  NotFound: errorResponse('There is no such record in the connected workspace, or the id is not valid.', {
    message: 'The conversation was not found.',
  }),
  InProgress: errorResponse(
    'The first request with this `Idempotency-Key` is still in progress. Send the call again after `Retry-After` seconds.',
    { message: 'The first request with this Idempotency-Key is still in progress. Try again in a second.' },
    { names: [...AUTHENTICATED, 'Retry-After'] },
  ),
  BodyTooLarge: errorResponse('The body is larger than 1 MB. Nothing was changed.', {
    message: 'The body must be at most 1 MB.',
  }),
  Invalid: errorResponse(
    'The body is not a JSON object, or a value is not valid. Nothing was changed.',
    errorSchemas.ValidationError.examples[0] ?? {},
    { schema: 'ValidationError' },
  ),
  RateLimited: errorResponse(
    'The connection has made 300 calls within a minute, or 300 calls with unknown tokens came from one ' +
      'address. Wait for the seconds in `Retry-After`.',
    { message: 'Too Many Attempts.' },
    { names: [...AUTHENTICATED, 'Retry-After'] },
  ),
  Fault: errorResponse(
    'Something failed inside the service. Try again later.',
    { message: FAULT_MESSAGE },
    // The rate limit may not have been checked yet.
    { names: [] },
  ),
} satisfies Record<string, oas31.ResponseObject>;

const BY_STATUS = {
  400: 'Malformed',
  401: 'Unauthorized',
  402: 'PlanNeeded',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'InProgress',
  413: 'BodyTooLarge',
  422: 'Invalid',
  429: 'RateLimited',
  500: 'Fault',
} satisfies Record<number, keyof typeof errorResponses>;

function isDocumented(status: number): status is keyof typeof BY_STATUS {
  return status in BY_STATUS;
}

/**
 * Returns a reference to the error response of a status.
 * @param description meaning in this operation, if it differs from the shared one
 */
export function errorRef(status: number, description?: string): oas31.ReferenceObject {
  if (!isDocumented(status))
    throw new Error(`There is no error response ${status}: add it to server/api/openapi/responses.ts.`);
  return {
    $ref: `#/components/responses/${BY_STATUS[status]}`,
    ...(description === undefined ? {} : { description }),
  };
}
