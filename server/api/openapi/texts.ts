import type { oas31 } from 'zod-openapi';
import { describeFormat } from '#server/api/openapi/responses.ts';
import { NOT_ALLOWED_MESSAGE, TOKEN_EXPIRED_MESSAGE } from '#server/contract/connection-messages.ts';
import { LIMITS } from '#server/core/limits/limits.ts';

/** Contact in the committed document. The served document names the service instead. */
export const DEVELOPERS: oas31.ContactObject = {
  name: 'Shared Inbox',
  email: 'developers@shared-inbox.example',
};

/**
 * Returns the introduction of the document. The guide at `/docs` has the details.
 * @param baseUrl the service's address; empty where addresses are relative to it
 */
export const describeApi = (baseUrl: string, contact: oas31.ContactObject): oas31.InfoObject => ({
  title: 'Automation API',
  version: '1',
  contact,
  license: { name: 'MIT', identifier: 'MIT' },
  description: [
    'Lets a workflow platform act in a workspace as the teammate who connected it.',
    'Triggers are hooks: the service sends each matching event to the subscribed address. Actions and ' +
      'searches are calls with `Authorization: Bearer <ACCESS_TOKEN>`. They act in the approved workspace as ' +
      'the teammate who connected it.',
    'Bodies are JSON in UTF-8, at most 1 MB. A missing, `null` or blank field counts as not sent, so an ' +
      'update changes only fields with a value. Ids are UUIDs, and an invalid id gets the same response as ' +
      'an unknown one. Times are ISO 8601 with the offset `+00:00`. Every key of a response is always ' +
      'present; an unknown value is `null`. Lengths are counted in Unicode characters.',
    'Every `POST` accepts an `Idempotency-Key`. When a response is lost, repeat the call with the same ' +
      'key: it runs only once, and for 24 hours the key returns the first response.',
    'Errors have a `message`. Validation errors also have `errors` by field. An unknown address returns ' +
      '`404`, and an unsupported method `405` with an `Allow` header.',
    `The guide at [/docs](${baseUrl}/docs) explains connecting, tokens, hooks and errors step by step.`,
  ].join('\n\n'),
});

/** Tags in reading order. */
export const tags: oas31.TagObject[] = [
  { name: 'Connection', description: 'The identity of the access token, and this document.' },
  { name: 'Teammates', description: 'Teammates and teams that a conversation can be assigned to.' },
  { name: 'Contacts', description: 'Find, create and update contacts.' },
  { name: 'Conversations', description: 'Find, create and update conversations; reply, note and tag.' },
  { name: 'Hooks', description: 'Subscribe to events and unsubscribe.' },
  { name: 'Triggers', description: 'Samples of events, for setting up a workflow.' },
  { name: 'Events', description: 'Requests that a hook receives.' },
];

/**
 * Describes the access token in two ways: how it is sent, and how it is obtained.
 * @param baseUrl the service's address; empty where addresses are relative to it
 */
export const describeToken = (baseUrl: string) =>
  ({
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An access token (`kza_…`) in the `Authorization` header. It is valid for 2 hours; a token in the query string ' +
        'is never read.',
    },
    oauth2: {
      type: 'oauth2',
      description:
        'How the platform obtains the token: the authorization code grant with PKCE. A code works once, ' +
        'within 10 minutes. The refresh token stays the same until the connection ends. There is one ' +
        'scope.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${baseUrl}/oauth/authorize`,
          tokenUrl: `${baseUrl}/oauth/token`,
          refreshUrl: `${baseUrl}/oauth/token`,
          scopes: { automation: 'Everything that this document describes.' },
        },
      },
    },
  }) satisfies Record<string, oas31.SecuritySchemeObject>;

/** Headers and error responses. Either description of the token satisfies a call. */
export const format = describeFormat({
  caller: 'connection',
  limit: LIMITS.api.points,
  security: [{ bearer: [] }, { oauth2: ['automation'] }],
  unauthorized: {
    description:
      'The access token is missing, unknown, expired or revoked. Refresh it; when that fails, the teammate must connect again.',
    message: TOKEN_EXPIRED_MESSAGE,
  },
  forbidden: {
    description: 'The connecting teammate is no longer an owner or admin of the workspace.',
    message: NOT_ALLOWED_MESSAGE,
  },
  notFound: 'There is no such record in the connected workspace, or the id is not valid.',
  neverEmpty: ['post /contacts', 'patch /conversations/{id}'],
});
