import { Code } from '#app/components/docs/code-block.tsx';
import type { Row } from '#app/components/docs/guide-section.tsx';

function coded(name: string, text: Row['text']): Row {
  return { key: name, name: <Code>{name}</Code>, text };
}

/** Query parameters of the consent page (docs/spec.md §4.1). */
export const authorizeParameters: Row[] = [
  coded(
    'response_type',
    <>
      Required: <Code>code</Code>.
    </>,
  ),
  coded('client_id', 'Required: the client id.'),
  coded('redirect_uri', 'Required: your return address, exactly as configured. At most 500 characters.'),
  coded('state', 'Recommended. Returned unchanged. At most 500 characters.'),
  coded('code_challenge', 'Recommended. 43 to 128 characters from A-Z a-z 0-9 - . _ ~'),
  coded(
    'code_challenge_method',
    <>
      <Code>S256</Code> or <Code>plain</Code>. Defaults to <Code>plain</Code>.
    </>,
  ),
];

/** Outcomes of the consent page. */
export const authorizeResults: Row[] = [
  {
    key: 'approved',
    name: 'Approved',
    text: (
      <>
        Redirect with <Code>code</Code> and <Code>state</Code>.
      </>
    ),
  },
  {
    key: 'cancelled',
    name: 'The teammate cancels',
    text: (
      <>
        Redirect with <Code>error=access_denied</Code>.
      </>
    ),
  },
  {
    key: 'type',
    name: 'Another response_type',
    text: (
      <>
        Redirect with <Code>error=unsupported_response_type</Code>.
      </>
    ),
  },
  {
    key: 'invalid',
    name: 'Overlong state, malformed challenge, unknown challenge method or repeated parameter',
    text: (
      <>
        Redirect with <Code>error=invalid_request</Code>.
      </>
    ),
  },
  {
    key: 'unknown',
    name: 'Unknown client_id or redirect_uri',
    text: (
      <>
        A <Code>400</Code> page without a redirect, because the return address cannot be trusted.
      </>
    ),
  },
  {
    key: 'refused',
    name: 'Not owner or admin, no free slot, or another workspace opened in the meantime',
    text: (
      <>
        The page explains the problem. Approving anyway returns <Code>403</Code>, <Code>402</Code> or{' '}
        <Code>409</Code>.
      </>
    ),
  },
];

/** Parameters of the code exchange. */
export const tokenParameters: Row[] = [
  coded(
    'grant_type',
    <>
      Required: <Code>authorization_code</Code>.
    </>,
  ),
  coded('code', 'Required: the code from the redirect.'),
  coded('redirect_uri', 'Required: the same as in the authorization request.'),
  coded('code_verifier', 'Required if the authorization request had a challenge, otherwise not allowed.'),
  coded('client_id, client_secret', 'Required here, or by HTTP Basic.'),
];

/** Errors of the token and revoke endpoints (docs/spec.md §7). */
export const tokenErrors: Row[] = [
  coded(
    '401 invalid_client',
    'The client id or secret is missing or wrong. Correct the configuration before you retry.',
  ),
  coded(
    '400 invalid_request',
    'A parameter is missing or sent twice, or the client is authenticated in two ways.',
  ),
  coded(
    '400 invalid_grant',
    'The code or refresh token is unknown, expired, used or revoked, the redirect_uri or verifier does not match, or ' +
      'the teammate may no longer connect. Ask the teammate to connect again.',
  ),
  coded('400 unsupported_grant_type', 'Neither authorization_code nor refresh_token.'),
  coded(
    '429',
    'More than 60 requests a minute from one IP address. Wait the number of seconds in Retry-After.',
  ),
  coded(
    '503',
    'An error on our side. The tokens are unchanged. Wait the number of seconds in Retry-After and retry.',
  ),
];

/** Hook filters by event (docs/spec.md §4.2). */
export const filterRows: Row[] = [
  coded(
    'status',
    <>
      For <Code>conversation.status_changed</Code>: only changes to this status. <Code>open</Code>,{' '}
      <Code>pending</Code>, <Code>solved</Code> or <Code>closed</Code>.
    </>,
  ),
  coded(
    'tag',
    <>
      For <Code>conversation.tagged</Code>: only when this tag is among the added tags. Case-insensitive, at
      most 40 characters.
    </>,
  ),
  coded(
    'command',
    <>
      For <Code>operator.command</Code>: only this command. Without a filter, teammates may run any command
      and the hook receives all of them.
    </>,
  ),
];

/** Handling of each response to a delivery (docs/spec.md §3). */
export const responseRows: Row[] = [
  coded('2xx', 'Delivered.'),
  coded('410', 'The workflow no longer exists, so the hook is removed.'),
  coded('429', 'Retried later, and deliveries to this hook slow down.'),
  coded('other 4xx', 'This event is dropped. The hook stays.'),
  coded(
    '5xx, 3xx, no response',
    'Retried after 30 seconds, 2 minutes, 10 minutes and 30 minutes: five attempts in total.',
  ),
];

/** Reasons for the removal of a hook (docs/spec.md §3). */
export const removalRows: Row[] = [
  {
    key: 'unsubscribed',
    name: 'Unsubscribed',
    text: (
      <>
        <Code>DELETE /hooks/{'{id}'}</Code>
      </>
    ),
  },
  {
    key: 'gone',
    name: 'Gone',
    text: (
      <>
        Your endpoint returned <Code>410</Code>.
      </>
    ),
  },
  {
    key: 'failing',
    name: 'Failing',
    text: '50 consecutive deliveries received an error status. A successful delivery resets the count.',
  },
  {
    key: 'ended',
    name: 'Connection ended',
    text: 'The connection was revoked or disconnected, or the teammate left the workspace or is no longer owner or admin.',
  },
];
