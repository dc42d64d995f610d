import type { oas31 } from 'zod-openapi';

const count = { type: 'integer', minimum: 0 } as const;

/** The headers of responses, by their names. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request. It is in our logs, too: quote it when you ask for help.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: '5f0c7a52-3c0e-4a57-9f3d-6b8f2f7a9e10',
  },
  'X-RateLimit-Limit': {
    description: 'How many calls the connection may make in a minute.',
    required: true,
    schema: count,
    example: 300,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left.',
    required: true,
    schema: count,
    example: 299,
  },
  'Retry-After': {
    description: 'How many seconds to wait before the next call.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': {
    description: 'Says that the token is at fault.',
    required: true,
    schema: { type: 'string', const: 'Bearer error="invalid_token"' },
    example: 'Bearer error="invalid_token"',
  },
} satisfies Record<string, oas31.HeaderObject>;

export type HeaderName = keyof typeof headers;

/** References to headers: `X-Request-Id`, which every response has, and these. */
export function headerRefs(...names: HeaderName[]): oas31.HeadersObject {
  return Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Every response to a call with a valid token shows what is left of the limit. */
export const AUTHENTICATED: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'];
