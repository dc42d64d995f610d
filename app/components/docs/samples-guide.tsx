import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { GuideSection, type Names, Text } from '#app/components/docs/guide-section.tsx';

/** Recent events to set up a workflow with. */
export function SamplesGuide({ apiBase }: Names) {
  return (
    <GuideSection id="samples" title="Samples">
      <Text>
        Show real events to a teammate who sets up a workflow. Samples have exactly the shape of a delivery,
        so fields that are chosen from a sample are there when the workflow runs. There are up to 3, newest
        first, one for each conversation or contact; an empty workspace has none.
      </Text>
      <CodeBlock
        title="Request"
        text={`curl '${apiBase}/triggers/conversation.status_changed/samples?status=solved' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`}
      />
      <CodeBlock title="Response 200" text={SAMPLES} json />
      <Text>
        The <Code>id</Code> of a sample is the event and the record, so loading again shows the same ones; it
        is not a UUID like that of an event. <Code>previous_status</Code> and <Code>previous_assignee</Code>{' '}
        are always <Code>null</Code>. The filters are those of hooks, and an unknown event returns{' '}
        <Code>404</Code>.
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
