import type { oas31 } from 'zod-openapi';
import { FAULT_MESSAGE } from '#server/core/errors.ts';

const count = { type: 'integer', minimum: 0 } as const;

/** Headers of responses of both APIs, by name. */
const sharedHeaders = (caller: string, limit: number) =>
  ({
    'X-Request-Id': {
      description: 'The id of the request, as in the service’s logs. Quote it when you ask for help.',
      required: true,
      schema: { type: 'string', format: 'uuid' },
      example: '5f0c7a52-3c0e-4a57-9f3d-6b8f2f7a9e10',
    },
    'X-RateLimit-Limit': {
      description: `Maximum number of calls of the ${caller} per minute.`,
      required: true,
      schema: count,
      example: limit,
    },
    'X-RateLimit-Remaining': {
      description: 'Number of calls that are left.',
      required: true,
      schema: count,
      example: limit - 1,
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
  }) satisfies Record<string, oas31.HeaderObject>;

/** The parts of a document that all operations of an API share. */
export type DocumentFormat = {
  headers: Record<string, oas31.HeaderObject>;
  /** Names of the headers of every response. */
  always: string[];
  /** Names of the further headers of every response to a call with a valid token. */
  authenticated: string[];
  security: oas31.SecurityRequirementObject[];
  responses: Record<string, oas31.ResponseObject>;
  /**
   * Operations whose body must have a field, as method and path. trpc-openapi leaves out what a refinement of zod requires. Their
   * descriptions say which fields: from `anyOf` with `required`, openapi-typescript generates a body of `unknown`.
   */
  neverEmpty: string[];
};

/** Texts and numbers of a document about the callers and limits of its API. */
export type FormatTexts = {
  /** The owner of a limit: `connection` or `token`. */
  caller: string;
  limit: number;
  /** Further headers of every response, and of every response to a call with a valid token. */
  always?: Record<string, oas31.HeaderObject>;
  authenticated?: Record<string, oas31.HeaderObject>;
  security: oas31.SecurityRequirementObject[];
  unauthorized: { description: string; message: string };
  forbidden: { description: string; message: string };
  notFound: string;
  neverEmpty?: string[];
};

/** Returns references to headers, including those of every response. */
export function headerRefs({ always }: Pick<DocumentFormat, 'always'>, names: string[]): oas31.HeadersObject {
  return Object.fromEntries(
    [...always, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const sentence = { type: 'string', minLength: 1 } as const;

/** The two error bodies (docs/spec.md §7). */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'What went wrong.',
    required: ['message'],
    properties: { message: { ...sentence, description: 'A sentence for people.' } },
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

/** Describes the headers and error responses of an API. */
export function describeFormat(texts: FormatTexts): DocumentFormat {
  const { caller, limit, security, unauthorized, forbidden, notFound } = texts;
  const always = ['X-Request-Id', ...Object.keys(texts.always ?? {})];
  const authenticated = [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    ...Object.keys(texts.authenticated ?? {}),
  ];
  const error = (
    description: string,
    example: object,
    { names = authenticated, schema = 'Error' as keyof typeof errorSchemas } = {},
  ): oas31.ResponseObject => ({
    description,
    headers: headerRefs({ always }, names),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } },
  });
  const responses = {
    Malformed: error(
      'The `Idempotency-Key` is malformed, or the request is not valid HTTP, for example because it has no `Host` header.',
      { message: 'The request must have exactly one Host header.' },
      { names: [] },
    ),
    Unauthorized: error(
      unauthorized.description,
      { message: unauthorized.message },
      { names: ['WWW-Authenticate'] },
    ),
    PlanNeeded: error(
      'The plan of the workspace does not include this. `message` names the plan that does.',
      {
        message: 'Internal notes need the Growth plan or higher.',
      },
    ),
    Forbidden: error(forbidden.description, { message: forbidden.message }),
    NotFound: error(notFound, {
      message: 'The conversation was not found.',
    }),
    InProgress: error(
      'The first request with this `Idempotency-Key` is still in progress. Send the call again after `Retry-After` seconds.',
      {
        message: 'The first request with this Idempotency-Key is still in progress. Try again in a second.',
      },
      { names: [...authenticated, 'Retry-After'] },
    ),
    BodyTooLarge: error('The body is larger than 1 MB. Nothing was changed.', {
      message: 'The body must be at most 1 MB.',
    }),
    Invalid: error(
      'The body is not a JSON object, or a value is not valid. Nothing was changed.',
      errorSchemas.ValidationError.examples[0] ?? {},
      { schema: 'ValidationError' },
    ),
    RateLimited: error(
      `The ${caller} has made ${limit} calls within a minute, or 300 calls with unknown tokens came from one ` +
        'address. Wait for the seconds in `Retry-After`.',
      { message: 'Too Many Attempts.' },
      // A call with an unknown token has no other headers.
      { names: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'Retry-After'] },
    ),
    Fault: error(
      'Something failed inside the service. Try again later.',
      { message: FAULT_MESSAGE },
      // The rate limit may not have been checked yet.
      { names: [] },
    ),
  } satisfies Record<ResponseName, oas31.ResponseObject>;
  const shared = sharedHeaders(caller, limit);
  return {
    headers: { ...shared, ...texts.always, ...texts.authenticated },
    always,
    authenticated,
    security,
    responses,
    neverEmpty: texts.neverEmpty ?? [],
  };
}

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
} as const;

type ResponseName = (typeof BY_STATUS)[keyof typeof BY_STATUS];

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
