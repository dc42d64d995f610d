import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { GuideSection, type Row, Rows, Text } from '#app/components/docs/guide-section.tsx';

/** Each status and how a client handles it (docs/spec.md §7). */
export function ErrorsGuide() {
  return (
    <GuideSection id="errors" title="Errors">
      <Text>
        Every error has a <Code>message</Code>, a sentence you can show to users. Validation errors also have{' '}
        <Code>errors</Code>, which lists the messages of each field. Branch on the status, not on the message.
        When you ask for help, include the <Code>X-Request-Id</Code> of the response.
      </Text>
      <CodeBlock title="Response 404" text={NOT_FOUND} json />
      <CodeBlock title="Response 422" text={INVALID} json />
      <Rows rows={rows} />
    </GuideSection>
  );
}

function status(name: string, text: Row['text']): Row {
  return { key: name, name: <Code>{name}</Code>, text };
}

const rows: Row[] = [
  status('400', 'The Idempotency-Key is malformed, or the request is not valid HTTP.'),
  status(
    '401',
    <>
      The token is missing, unknown, expired, replaced or revoked. Refresh once and repeat the call. When the
      refresh returns <Code>invalid_grant</Code>, ask the teammate to connect again. The response has{' '}
      <Code>WWW-Authenticate: Bearer error="invalid_token"</Code>.
    </>,
  ),
  status(
    '402',
    'The workspace’s plan does not include this. Show the message, which names a plan that does.',
  ),
  status(
    '403',
    'The teammate is no longer owner or admin. Show the message. Calls work again once they are.',
  ),
  status('404', 'The path, the record in this workspace, or the event does not exist.'),
  status('405', 'The path does not support this method. Allow lists the supported ones.'),
  status(
    '409',
    'The first request with this Idempotency-Key is still in progress. Wait the number of seconds in Retry-After, then send it again.',
  ),
  status('413', 'The body exceeds 1 MB.'),
  status(
    '422',
    'The body is not a JSON object, a value is not valid, or the change is not possible, for example because the conversation was merged into another one. Nothing was changed. Show the messages, and do not repeat the call unchanged.',
  ),
  status('429', 'Too many calls. Wait the number of seconds in Retry-After, then repeat.'),
  status(
    '5xx',
    <>
      An error on our side. Retry with backoff. A <Code>POST</Code> may have succeeded: send it again with the
      same <Code>Idempotency-Key</Code>, so that it runs once.
    </>,
  ),
];

const NOT_FOUND = `{
  "message": "The conversation was not found."
}`;

const INVALID = `{
  "message": "The subject is required.",
  "errors": {
    "subject": ["The subject is required."],
    "content": ["The content must be at most 8,000 characters."]
  }
}`;
