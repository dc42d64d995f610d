import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import {
  authorizeParameters,
  authorizeResults,
  tokenErrors,
  tokenParameters,
} from '#app/components/docs/guide-rows.tsx';
import {
  GuidePart,
  GuideSection,
  type Names,
  Notice,
  Rows,
  Text,
} from '#app/components/docs/guide-section.tsx';

/** OAuth 2.0 authorization code grant with PKCE, from the consent page to the first tokens. */
export function ConnectingGuide({ baseUrl }: Names) {
  return (
    <GuideSection id="connecting" title="Connecting">
      <Text>
        Connecting is OAuth 2.0: authorization code (RFC 6749) with PKCE (RFC 7636). You need the client id,
        the client secret and the return address configured in the service. There is one scope, and the{' '}
        <Code>scope</Code> parameter is ignored. A client that discovers servers (RFC 8414) finds all of it at{' '}
        <Code>{baseUrl}/.well-known/oauth-authorization-server</Code>.
      </Text>
      <GuidePart id="connecting-verifier" title="1. Create a code verifier">
        <Text>
          Generate a random <Code>code_verifier</Code> of 43 to 128 characters from letters, digits and{' '}
          <Code>- . _ ~</Code>, and derive its <Code>code_challenge</Code>. Generate a random{' '}
          <Code>state</Code> too, and store both with the teammate’s session.
        </Text>
        <CodeBlock title="Verifier, challenge and state" text={VERIFIER} />
      </GuidePart>
      <GuidePart id="connecting-authorize" title="2. Send the teammate to the consent page">
        <CodeBlock title="URL to open in the teammate’s browser, on one line" text={authorizeUrl(baseUrl)} />
        <Rows rows={authorizeParameters} />
        <Text>
          The teammate signs in if necessary, reviews the permissions, selects a workspace when they are owner
          or admin of several, and decides. The response is a redirect to your return address with{' '}
          <Code>code</Code> and <Code>state</Code>, or with <Code>error</Code>. Compare <Code>state</Code>{' '}
          with the stored value.
        </Text>
        <CodeBlock title="Redirect after approval" text={RETURN} />
        <Rows rows={authorizeResults} />
      </GuidePart>
      <GuidePart id="connecting-exchange" title="3. Exchange the code">
        <Text>
          The code works once and expires after 10 minutes. Authenticate the client in the body, as here, or
          by HTTP Basic, but not both. The body is form-encoded.
        </Text>
        <CodeBlock title="Request" text={exchange(baseUrl)} />
        <CodeBlock title="Response 200" text={TOKENS} json />
        <Rows rows={tokenParameters} />
        <Notice>
          Using a code a second time is refused, and the connection that the code created is revoked, because
          the code may have leaked. Never repeat an exchange. Start again at the consent page.
        </Notice>
      </GuidePart>
      <GuidePart id="connecting-errors" title="When the exchange is refused">
        <Text>
          The body is <Code>{'{"error": "…", "error_description": "…"}'}</Code>, except for <Code>429</Code>,
          which has a <Code>message</Code>.
        </Text>
        <Rows rows={tokenErrors} />
      </GuidePart>
      <GuidePart id="connecting-label" title="4. Label the connection">
        <Text>
          Call <Code>GET /me</Code> with the new token, and label the connection{' '}
          <Code>{'<workspace_name> (<email>)'}</Code>. A teammate may have several connections to one
          workspace or more, each with its own tokens and hooks.
        </Text>
      </GuidePart>
    </GuideSection>
  );
}

const VERIFIER = `code_verifier=$(openssl rand -base64 48 | tr '+/' '-_' | tr -d '=\\n')
code_challenge=$(printf %s "$code_verifier" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=\\n')
state=$(openssl rand -hex 16)`;

const authorizeUrl = (baseUrl: string) => `${baseUrl}/oauth/authorize
  ?response_type=code
  &client_id=YOUR_CLIENT_ID
  &redirect_uri=YOUR_RETURN_ADDRESS
  &state=STATE
  &code_challenge=CODE_CHALLENGE
  &code_challenge_method=S256`;

const RETURN = 'YOUR_RETURN_ADDRESS?code=kzc_4TqJ…&state=STATE';

const exchange = (baseUrl: string) => `curl '${baseUrl}/oauth/token' \\
  --data-urlencode 'grant_type=authorization_code' \\
  --data-urlencode "code=$CODE" \\
  --data-urlencode 'redirect_uri=YOUR_RETURN_ADDRESS' \\
  --data-urlencode "code_verifier=$code_verifier" \\
  --data-urlencode 'client_id=YOUR_CLIENT_ID' \\
  --data-urlencode "client_secret=$CLIENT_SECRET"`;

const TOKENS = `{
  "access_token": "kza_Vb9…",
  "refresh_token": "kzr_m2X…",
  "token_type": "Bearer",
  "expires_in": 7200,
  "scope": "automation"
}`;
