import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { GuideSection, type Names, Text } from '#app/components/docs/guide-section.tsx';

export function SamplesGuide({ apiBase }: Names) {
  return (
    <GuideSection id="samples" title="Samples">
      <Text>
        Show real events to a teammate who sets up a workflow. Samples have exactly the shape of a delivery,
        so fields mapped from a sample exist when the workflow runs. There are up to 3, newest first, one per
        conversation or contact. An empty workspace has none.
      </Text>
      <CodeBlock
        title="Request"
        text={`curl '${apiBase}/triggers/conversation.status_changed/samples?status=solved' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`}
      />
      <CodeBlock title="Response 200" text={SAMPLES} json />
      <Text>
        The <Code>id</Code> of a sample combines event key and record id, so repeated loads show the same
        samples. Unlike an event id, it is not a UUID. <Code>previous_status</Code> and{' '}
        <Code>previous_assignee</Code> are always <Code>null</Code>. The filters are the same as for hooks,
        and an unknown event returns <Code>404</Code>.
      </Text>
    </GuideSection>
  );
}

const SAMPLES = `[
  {
    "id": "conversation.status_changed:01a4d7f0-2b3c-7d4e-9f50-6b7c8d9e0f1a",
    "event": "conversation.status_changed",
    "occurred_at": "2026-11-21T09:12:47.316+00:00",
    "conversation": {
      "id": "01a4d7f0-2b3c-7d4e-9f50-6b7c8d9e0f1a",
      "subject": "Where is order 1042?",
      "status": "solved",
      …
    },
    "previous_status": null
  }
]`;
