import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { DocsLink, GuideSection, Rows, Text } from '#app/components/docs/guide-section.tsx';

/** How a program uses the developer API. */
export function DeveloperGuide({
  serviceName,
  apiBase,
  tokenPrefix,
}: {
  serviceName: string;
  apiBase: string;
  /** `TOKEN_PREFIX`. */
  tokenPrefix: string;
}) {
  return (
    <>
      <div id="overview" className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 pt-10 pb-8">
        <h1 className="text-2xl">Developer API</h1>
        <Text>
          Programs read and change one workspace of {serviceName} with an API token. The workflow platform has
          its own API, with OAuth: see its <DocsLink href="/docs">documentation</DocsLink>.
        </Text>
        <CodeBlock
          title="Request"
          text={`export TOKEN='${tokenPrefix}_pk_live_…'\ncurl '${apiBase}/me' \\\n  -H "Authorization: Bearer $TOKEN"`}
        />
      </div>
      <GuideSection id="tokens" title="Tokens">
        <Text>
          Owners and admins create tokens in {'Settings > Developers'}. A token is shown once, works only in
          the <Code>Authorization</Code> header, and stops working the moment it is revoked. Each call names
          the ability that its token needs. Tokens of a test workspace begin with{' '}
          <Code>{`${tokenPrefix}_pk_test_`}</Code>: an owner creates one in {'Settings > Workspace'}, and its
          messages end in an outbox.
        </Text>
        <Rows rows={ABILITIES.map(([key, text]) => ({ key, name: <Code>{key}</Code>, text }))} />
      </GuideSection>
      <GuideSection id="lists" title="Lists">
        <Text>
          A list has <Code>data</Code> and <Code>next_cursor</Code>. Send it as <Code>cursor</Code> with the
          same other parameters until it is <Code>null</Code>. <Code>limit</Code> is at most 100. Contacts and
          conversations are listed by their last change, oldest first, so that a record which changes while
          you read moves to the end. <Code>updated_since</Code> continues from an earlier run: let runs
          overlap by a minute.
        </Text>
      </GuideSection>
      <GuideSection id="writing" title="Writing">
        <Text>
          Every <Code>POST</Code> accepts an <Code>Idempotency-Key</Code>: repeat a call whose response was
          lost with the same key, and it runs once. Replies, notes and new conversations can name{' '}
          <Code>author_id</Code>, a teammate. The contact then sees their name. Without it, the contact sees
          the workspace. Teammates always see the label of the token, and contacts never do.
        </Text>
        <Text>
          A reply can have five files. Upload each with <Code>POST /files</Code>, then name the{' '}
          <Code>id</Code> that it returns in <Code>attachment_ids</Code> of the reply.
        </Text>
      </GuideSection>
      <GuideSection id="errors" title="Errors and limits">
        <Text>
          Every error has a <Code>message</Code>. Validation errors also have <Code>errors</Code>, the
          messages of each field. A <Code>403</Code> names the missing ability. When you ask for help, include
          the <Code>Request-Id</Code> of the response. A token can make 600 calls a minute: see{' '}
          <Code>RateLimit</Code>, and after a <Code>429</Code> wait the seconds of <Code>Retry-After</Code>.
        </Text>
        <CodeBlock title="Response 403" text={FORBIDDEN} json />
      </GuideSection>
      <GuideSection id="versions" title="Changes and deprecation">
        <Text>
          New calls, parameters and fields can appear at any time: ignore fields that you do not know. What
          exists is removed or changed at the earliest 12 months after it was announced in the changelog.
          Until then its responses have a <Code>Deprecation</Code> header with the date of the announcement
          (RFC 9745), a <Code>Sunset</Code> header with the date of the removal (RFC 8594), and a{' '}
          <Code>Link</Code> to what replaces it.
        </Text>
      </GuideSection>
    </>
  );
}

const ABILITIES: [ability: string, text: string][] = [
  ['read', 'Everything that only reads.'],
  ['write_contacts', 'Create, change and merge contacts, create and rename companies.'],
  ['write_conversations', 'Create, change, merge and tag conversations, send replies and add notes.'],
  ['suggest_replies', 'Suggest replies, which are sent only when a teammate sends them.'],
  ['manage_webhooks', 'Create, change and remove webhooks.'],
  ['full_access', 'All of these, also abilities that are added later.'],
];

const FORBIDDEN = `{
  "message": "This token needs the ability write_contacts."
}`;
