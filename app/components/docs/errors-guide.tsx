import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { GuideSection, type Row, Rows, Text } from '#app/components/docs/guide-section.tsx';

/** Each status, and what a client does about it (spec.md §7). */
export function ErrorsGuide() {
  return (
    <GuideSection id="errors" title="Errors">
      <Text>
        Every error has a <Code>message</Code>, a sentence that may be shown to a person. Invalid values also
        have <Code>errors</Code>: each field with its sentences, the first of which is the message. Go by the
        status, not by the words. When you ask for help, name the <Code>X-Request-Id</Code> of the response.
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
      The token is missing, unknown, expired, replaced or ended. Refresh once and repeat the call; when the
      refresh returns <Code>invalid_grant</Code>, ask the teammate to connect again. Comes with{' '}
      <Code>WWW-Authenticate: Bearer error="invalid_token"</Code>.
    </>,
  ),
  status(
    '402',
    'The plan of the workspace does not include this. Show the message, which names the plan that does.',
  ),
  status('403', 'The teammate is no longer owner or admin. Show the message; it works again once they are.'),
  status('404', 'There is nothing at this address, no such record in the workspace, or no such event.'),
  status('405', 'The address does not have this method. Allow names those that it has.'),
  status(
    '409',
    'The first request with this Idempotency-Key is still in progress. Wait as many seconds as Retry-After says, then send it again.',
  ),
  status('413', 'The body has more than 1 MB.'),
  status(
    '422',
    'The body is not a JSON object, a value is not valid, or the change is not possible, for example because the conversation was merged into another one. Nothing was changed. Show the sentences; do not repeat the call as it was.',
  ),
  status('429', 'Too many calls. Wait as many seconds as Retry-After says, then repeat.'),
  status(
    '5xx',
    <>
      The service failed. Send the call again, with a longer pause each time. A <Code>POST</Code> may have
      worked all the same: send it again with the same <Code>Idempotency-Key</Code>, so that it runs once.
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
