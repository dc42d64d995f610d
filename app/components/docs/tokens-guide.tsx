import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import {
  GuidePart,
  GuideSection,
  type Names,
  Notice,
  Rows,
  Text,
} from '#app/components/docs/guide-section.tsx';

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
                <Code>kzc_…</Code> 10 minutes, single use.
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
                <Code>kzr_…</Code> valid as long as the connection. A refresh does not change it.
              </>
            ),
          },
        ]}
      />
      <GuidePart id="tokens-refresh" title="Refresh">
        <Text>
          Refresh when a call returns <Code>401</Code>, or shortly before the two hours are over. The previous
          access token stops working immediately, so let only one process refresh a connection. When the
          refresh returns <Code>invalid_grant</Code>, the connection has ended and the teammate must connect
          again.
        </Text>
        <CodeBlock title="Request" text={form(baseUrl, '/oauth/token', REFRESH)} />
        <CodeBlock title="Response 200" text={REFRESHED} json />
        <Notice>
          A <Code>5xx</Code>, a timeout or <Code>429</Code> does not affect the connection. Retry later, and
          do not ask the teammate to connect again.
        </Notice>
      </GuidePart>
      <GuidePart id="tokens-revoke" title="Revoke">
        <Text>
          Revoke when the teammate removes the connection on your side (RFC 7009). Either token revokes the
          whole connection: both tokens stop working, its hooks are deleted, and the slot is freed if this was
          the workspace’s last connection. An unknown, replaced or already revoked token gets the same
          response and has no effect.
        </Text>
        <CodeBlock title="Request" text={form(baseUrl, '/oauth/revoke', ['"token=$REFRESH_TOKEN"'])} />
        <CodeBlock title="Response 200" text="[]" json />
      </GuidePart>
      <GuidePart id="tokens-end" title="Other reasons a connection ends">
        <Text>
          An owner or admin disconnects it in {'Settings > Integrations'}. The teammate leaves the workspace,
          or their account or the workspace is deleted. The teammate is no longer owner or admin when the
          platform refreshes the token or an event is about to be delivered. Or the authorization code is used
          a second time.
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
