import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import {
  GuidePart,
  GuideSection,
  type Names,
  Notice,
  Rows,
  Text,
} from '#app/components/docs/guide-section.tsx';

/** How long tokens live, how they are renewed, and how they end. */
export function TokensGuide({ baseUrl }: Names) {
  return (
    <GuideSection id="tokens" title="Tokens">
      <Rows
        rows={[
          {
            key: 'code',
            name: 'Authorization code',
            text: (
              <>
                <Code>kzc_…</Code> 10 minutes, once.
              </>
            ),
          },
          {
            key: 'access',
            name: 'Access token',
            text: (
              <>
                <Code>kza_…</Code> 2 hours (<Code>expires_in</Code> is 7200 seconds).
              </>
            ),
          },
          {
            key: 'refresh',
            name: 'Refresh token',
            text: (
              <>
                <Code>kzr_…</Code> as long as the connection. It stays the same at every refresh.
              </>
            ),
          },
        ]}
      />
      <GuidePart id="tokens-refresh" title="Refresh">
        <Text>
          Refresh when a call returns <Code>401</Code>, or a little before the two hours are over. The
          previous access token stops working at once, so let only one process of yours refresh a connection.
          When the refresh returns <Code>invalid_grant</Code>, the connection is over and the teammate must
          connect again.
        </Text>
        <CodeBlock title="Request" text={form(baseUrl, '/oauth/token', REFRESH)} />
        <CodeBlock title="Response 200" text={REFRESHED} json />
        <Notice>
          A <Code>5xx</Code>, a timeout or <Code>429</Code> says nothing about the connection. Try again
          later; do not ask the teammate to connect again.
        </Notice>
      </GuidePart>
      <GuidePart id="tokens-revoke" title="Revoke">
        <Text>
          Revoke when the teammate removes the connection on your side (RFC 7009). Either token ends the whole
          connection: both tokens stop, its hooks are deleted, and the slot is free when it was the last
          connection of the workspace. The response is the same for a token that is unknown or already
          revoked, and nothing ends by it; an access token that a refresh replaced is one of these.
        </Text>
        <CodeBlock title="Request" text={form(baseUrl, '/oauth/revoke', ['"token=$REFRESH_TOKEN"'])} />
        <CodeBlock title="Response 200" text="[]" json />
      </GuidePart>
      <GuidePart id="tokens-end" title="What else ends a connection">
        <Text>
          An owner or admin disconnects it in Settings, Integrations; the teammate leaves the workspace, or
          their account or the workspace is deleted; the teammate is no longer owner or admin when the
          platform refreshes or an event is about to be delivered; or its code is presented a second time.
        </Text>
      </GuidePart>
    </GuideSection>
  );
}

const REFRESH = ["'grant_type=refresh_token'", '"refresh_token=$REFRESH_TOKEN"'];

const form = (baseUrl: string, path: string, fields: string[]) =>
  [
    `curl '${baseUrl}${path}'`,
    ...[...fields, "'client_id=YOUR_CLIENT_ID'", '"client_secret=$CLIENT_SECRET"'].map(
      (field) => `--data-urlencode ${field}`,
    ),
  ].join(' \\\n  ');

const REFRESHED = `{
  "access_token": "kza_9Lw…",
  "refresh_token": "kzr_m2X…",
  "token_type": "Bearer",
  "expires_in": 7200,
  "scope": "automation"
}`;
