import type { oas31 } from 'zod-openapi';
import { describeFormat } from '#server/api/openapi/responses.ts';
import { TOKEN_NOT_VALID_MESSAGE } from '#server/automation/tokens/find-program.ts';
import { LIMITS } from '#server/core/limits/limits.ts';

const { points, seconds } = LIMITS.developer_api;

/** Headers and error responses of the developer API. */
export const format = describeFormat({
  caller: 'token',
  limit: points,
  security: [{ bearer: [] }],
  always: {
    'Request-Id': {
      description: 'The same id as in `X-Request-Id`.',
      required: true,
      schema: { type: 'string', format: 'uuid' },
      example: '5f0c7a52-3c0e-4a57-9f3d-6b8f2f7a9e10',
    },
  },
  authenticated: {
    RateLimit: {
      description: 'Calls that are left (`r`), and seconds until the window ends (`t`).',
      required: true,
      schema: { type: 'string' },
      example: `"default";r=${points - 1};t=${seconds}`,
    },
    'RateLimit-Policy': {
      description: 'Calls (`q`) in a window of seconds (`w`).',
      required: true,
      schema: { type: 'string' },
      example: `"default";q=${points};w=${seconds}`,
    },
  },
  unauthorized: {
    description: 'The API token is missing, unknown, expired or revoked.',
    message: TOKEN_NOT_VALID_MESSAGE,
  },
  forbidden: {
    description: 'The token does not have the ability that `message` names.',
    message: 'This token needs the ability write_contacts.',
  },
  notFound: 'There is no such record in the workspace of the token, or the id is not valid.',
  neverEmpty: ['post /contacts', 'patch /conversations/{id}', 'patch /webhooks/{id}'],
});

/** Describes the token. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token (`inbox_pk_live_…`, or `inbox_pk_test_…` in a test workspace) in the `Authorization` header, from Settings > Developers. A token in the query ' +
      'string is never read.',
  },
} satisfies Record<string, oas31.SecuritySchemeObject>;

/**
 * Returns the introduction of the document.
 * @param baseUrl the service's address; empty where addresses are relative to it
 */
export const describeDeveloperApi = (baseUrl: string, contact: oas31.ContactObject): oas31.InfoObject => ({
  title: 'Developer API',
  version: '1',
  contact,
  license: { name: 'MIT', identifier: 'MIT' },
  description: [
    'Lets a program read and change contacts and conversations of one workspace.',
    'Calls carry `Authorization: Bearer <API_TOKEN>`. Owners and admins create tokens in Settings > Developers. A ' +
      'token has abilities, and each call names the one that it needs.',
    'Bodies are JSON in UTF-8, at most 1 MB; only uploads of files are forms. A missing, `null` or blank field counts as not sent, so an ' +
      'update changes only fields with a value. Ids are UUIDs, and an invalid id gets the same response as ' +
      'an unknown one. Times are ISO 8601 with the offset `+00:00`. An unknown value is `null`. Lengths are ' +
      'counted in Unicode characters. New fields may be added to responses at any time.',
    'Every `POST` accepts an `Idempotency-Key`. When a response is lost, repeat the call with the same ' +
      'key: it runs only once, and for 24 hours the key returns the first response.',
    `A token can make ${points} calls a minute. Errors have a \`message\`. Validation errors also have \`errors\` by ` +
      'field. An unknown address returns `404`, and an unsupported method `405` with an `Allow` header.',
    `The guide at [/docs](${baseUrl}/docs) describes the service.`,
  ].join('\n\n'),
});

/** Tags in reading order. */
export const tags: oas31.TagObject[] = [
  { name: 'Token', description: 'The token of the call, and this document.' },
  { name: 'Contacts', description: 'List, read, create, update and merge contacts, and their companies.' },
  { name: 'Events', description: 'What happened in the workspace, to catch up from.' },
  {
    name: 'Webhooks',
    description: 'Endpoints that get events, signed as Standard Webhooks describes, and their deliveries.',
  },
  {
    name: 'Conversations',
    description:
      'List, search, read, create, update and merge conversations, suggest replies, and change tags.',
  },
  {
    name: 'Messages',
    description: 'Read the messages and notes of a conversation, send replies and add notes.',
  },
  { name: 'Teammates', description: 'List teammates and teams.' },
];
