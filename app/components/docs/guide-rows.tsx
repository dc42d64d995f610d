import { Code } from '#app/components/docs/code-block.tsx';
import type { Row } from '#app/components/docs/guide-section.tsx';

function coded(name: string, text: Row['text']): Row {
  return { key: name, name: <Code>{name}</Code>, text };
}

/** The parameters of the consent page's address (spec.md §4.1). */
export const authorizeParameters: Row[] = [
  coded(
    'response_type',
    <>
      Required: <Code>code</Code>.
    </>,
  ),
  coded('client_id', 'Required: the client id.'),
  coded('redirect_uri', 'Required: your return address, exactly as it was set up. At most 500 characters.'),
  coded('state', 'Recommended. Comes back unchanged. At most 500 characters.'),
  coded('code_challenge', 'Recommended. 43 to 128 characters of A-Z a-z 0-9 - . _ ~'),
  coded(
    'code_challenge_method',
    <>
      <Code>S256</Code> or <Code>plain</Code>; <Code>plain</Code> when it is left out.
    </>,
  ),
];

/** What comes of it. */
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
    name: 'A state that is too long, a malformed challenge, an unknown challenge method, a parameter sent twice',
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
        A <Code>400</Code> page and no redirect, as the return address cannot be trusted.
      </>
    ),
  },
  {
    key: 'refused',
    name: 'Not owner or admin, no free slot, another workspace opened meanwhile',
    text: (
      <>
        The page says so and what to do. Approving anyway returns <Code>403</Code>, <Code>402</Code> or{' '}
        <Code>409</Code>.
      </>
    ),
  },
];

/** The parameters of the exchange. */
export const tokenParameters: Row[] = [
  coded(
    'grant_type',
    <>
      Required: <Code>authorization_code</Code>.
    </>,
  ),
  coded('code', 'Required: the code of the redirect.'),
  coded('redirect_uri', 'Required: the same as before.'),
  coded('code_verifier', 'Required when there was a challenge, and only then.'),
  coded('client_id, client_secret', 'Required here, or by HTTP Basic.'),
];

/** Errors of the token and revoke addresses (spec.md §7). */
export const tokenErrors: Row[] = [
  coded(
    '401 invalid_client',
    'The client id or secret is missing or wrong. Correct the set-up; do not repeat.',
  ),
  coded('400 invalid_request', 'A parameter is missing or sent twice, or the client is named in two ways.'),
  coded(
    '400 invalid_grant',
    'The code or refresh token is unknown, expired, used or ended, the redirect_uri or verifier is another one, or ' +
      'the teammate may no longer connect. Ask the teammate to connect again.',
  ),
  coded('400 unsupported_grant_type', 'Neither authorization_code nor refresh_token.'),
  coded('429', 'More than 60 requests a minute from one address. Wait as long as Retry-After says.'),
  coded(
    '503',
    'A fault of ours. The tokens are as they were; wait as long as Retry-After says and try again.',
  ),
];

/** The filter of each event that has one (spec.md §4.2). */
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
      For <Code>conversation.tagged</Code>: only when this tag is among those just added, in upper or lower
      case. At most 40 characters.
    </>,
  ),
  coded(
    'command',
    <>
      For <Code>operator.command</Code>: only this command. Without it teammates may run any command, and the
      hook hears all of them.
    </>,
  ),
];

/** What follows from each response to a delivery (spec.md §3). */
export const responseRows: Row[] = [
  coded('2xx', 'Delivered.'),
  coded('410', 'The workflow is gone: the hook is removed.'),
  coded('429', 'Sent again later, and the hook is sent to more slowly.'),
  coded('other 4xx', 'This event is dropped. The hook stays.'),
  coded(
    '5xx, 3xx, no response',
    'Sent again after 30 seconds, 2 minutes, 10 minutes and 30 minutes: five attempts in all.',
  ),
];

/** Why a hook ends (spec.md §3). */
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
        Your address returned <Code>410</Code>.
      </>
    ),
  },
  {
    key: 'failing',
    name: 'Failing',
    text: '50 deliveries in a row ended with an error status. A successful delivery resets the count.',
  },
  {
    key: 'ended',
    name: 'The connection ended',
    text: 'It was revoked or disconnected, or the teammate left the workspace or is no longer owner or admin.',
  },
];
