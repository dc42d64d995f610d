import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { GuidePart, GuideSection, type Names, Rows, Text } from '#app/components/docs/guide-section.tsx';

export function CallsGuide({ apiBase }: Names) {
  return (
    <GuideSection id="calls" title="Making a call">
      <Text>
        Send the access token in the <Code>Authorization</Code> header, never in the query string. The call
        acts in the approved workspace, whichever workspace is open in the app, on behalf of the teammate who
        connected: replies and notes carry that teammate’s name. The call can’t see records of other
        workspaces.
      </Text>
      <CodeBlock
        title="Request"
        text={`curl -i '${apiBase}/me' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`}
      />
      <CodeBlock title="Response" text={RESPONSE} />
      <GuidePart id="calls-values" title="Values">
        <Rows
          rows={[
            {
              key: 'json',
              name: 'Bodies',
              text: 'JSON objects in UTF-8, at most 1 MB. Responses are always JSON, whatever Accept says. Unknown keys and parameters are ignored.',
            },
            {
              key: 'empty',
              name: 'Empty fields',
              text: (
                <>
                  A field that is missing, <Code>null</Code> or blank is ignored: an update changes only
                  fields sent with a value.
                </>
              ),
            },
            {
              key: 'space',
              name: 'White space',
              text: 'Short texts are trimmed. The content of messages and notes is stored unchanged.',
            },
            {
              key: 'ids',
              name: 'Ids',
              text: (
                <>
                  UUIDs. An invalid one gets the same response as an unknown one: <Code>404</Code>, or an
                  empty list in a search.
                </>
              ),
            },
            {
              key: 'times',
              name: 'Times',
              text: (
                <>
                  <Code>2026-11-21T06:29:29.123+00:00</Code>: with milliseconds and the offset.
                </>
              ),
            },
            {
              key: 'keys',
              name: 'Responses',
              text: (
                <>
                  Records always contain every key. Unknown values are <Code>null</Code>.
                </>
              ),
            },
            { key: 'lengths', name: 'Lengths', text: 'Counted in Unicode characters.' },
          ]}
        />
      </GuidePart>
      <GuidePart id="calls-retries" title="Sending a call again">
        <Text>
          When a response is lost, you can't tell whether the call worked. Give each <Code>POST</Code> a
          unique <Code>Idempotency-Key</Code>, for example a UUID, and repeat the call with the same key: it
          runs once. For 24 hours, the same key with the same path and body gets the first response, with{' '}
          <Code>Idempotent-Replayed: true</Code>. That includes refusals, so use a new key once you have
          corrected a value.
        </Text>
        <CodeBlock title="Request" text={keyed(apiBase)} />
        <Rows
          rows={[
            {
              key: 'key',
              name: 'Key',
              text: (
                <>
                  1 to 255 visible ASCII characters, otherwise <Code>400</Code>. Each connection has its own
                  keys.
                </>
              ),
            },
            {
              key: 'mismatch',
              name: 'Another path or body',
              text: (
                <>
                  <Code>422</Code> under <Code>Idempotency-Key</Code>. Nothing is changed.
                </>
              ),
            },
            {
              key: 'progress',
              name: 'In progress',
              text: (
                <>
                  <Code>409</Code> with <Code>Retry-After</Code> while the first request still runs, and for a
                  minute or two after a crash of the service. After a crash, a reply that was saved is never
                  sent twice: you get its current <Code>send_status</Code>.
                </>
              ),
            },
            {
              key: 'not-stored',
              name: 'Not stored',
              text: (
                <>
                  <Code>5xx</Code> and <Code>429</Code>: the same key runs again.
                </>
              ),
            },
          ]}
        />
      </GuidePart>
      <GuidePart id="calls-searches" title="Searches">
        <Text>
          A search returns <Code>200</Code> with at most 10 records, newest first. Without criteria or
          matches, the list is empty. To find or create a contact, search first and then create. If another
          call created the contact in the meantime, creating returns <Code>422</Code> under <Code>email</Code>
          . Then search again.
        </Text>
        <Text>
          When a teammate merges a contact into another one, its id and email address stay valid. Both lead to
          the contact that remains.
        </Text>
      </GuidePart>
    </GuideSection>
  );
}

const keyed = (apiBase: string) => `curl -X POST '${apiBase}/contacts' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: 0f8f1d7c-6f0e-4c53-9a3b-2f1f8f3f6d0a' \\
  -d '{"name": "Ada Lovelace", "email": "ada@engines.example"}'`;

const RESPONSE = `HTTP/1.1 200 OK
Content-Type: application/json; charset=utf-8
X-Request-Id: 5f0c7a52-3c0e-4a57-9f3d-6b8f2f7a9e10
X-RateLimit-Limit: 300
X-RateLimit-Remaining: 299

{
  "id": "01a4d7e0-7081-72a3-8495-1a2b3c4d5e6f",
  "user_id": "01a0b2c4-5d6e-7f80-9a1b-2c3d4e5f6071",
  "user_name": "Maya Chen",
  "email": "maya@northwind.example",
  "workspace_id": "01a0b2c4-8192-73b4-95a6-2b3c4d5e6f70",
  "workspace_name": "Northwind"
}`;
