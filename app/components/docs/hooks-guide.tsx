import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { filterRows, removalRows, responseRows } from '#app/components/docs/guide-rows.tsx';
import {
  GuidePart,
  GuideSection,
  type Names,
  Notice,
  Rows,
  Text,
} from '#app/components/docs/guide-section.tsx';

export function HooksGuide({ apiBase, platformName }: Names) {
  return (
    <GuideSection id="hooks" title="Hooks and deliveries">
      <Text>
        A hook is a subscription: an event, an optional filter and a target URL. Subscribe when a workflow is
        turned on, and store the <Code>id</Code> of the response to unsubscribe when the workflow is turned
        off.
      </Text>
      <CodeBlock title="Subscribe" text={subscribe(apiBase)} />
      <CodeBlock title="Response 201" text={HOOK} json />
      <CodeBlock title="Unsubscribe" text={unsubscribe(apiBase)} />
      <Text>
        The target must be an <Code>https</Code> URL on the hook host of {platformName}, without a port and
        without credentials. A hook receives only events that occur after its subscription. Subscribing twice
        creates two hooks. Unsubscribing is idempotent.
      </Text>
      <GuidePart id="hooks-filters" title="Filters">
        <Text>
          Three events have a filter. Without a filter every event matches. A filter that does not belong to
          the event is ignored, and is <Code>null</Code> in the hook record.
        </Text>
        <Rows rows={filterRows} />
      </GuidePart>
      <GuidePart id="hooks-delivery" title="A delivery">
        <Text>
          Right after a change is saved, each matching hook receives one request with one event. The event
          contains the conversation or contact as of that change.
        </Text>
        <CodeBlock title="Request to your address" text={DELIVERY} />
        <Text>
          Respond with any <Code>2xx</Code> as soon as the event is stored on your side, and process it
          afterwards. A delivery times out after 5 seconds to connect and 15 seconds in total.
        </Text>
        <Rows rows={responseRows} />
      </GuidePart>
      <GuidePart id="hooks-twice" title="Duplicates and order">
        <Notice>
          An event can arrive more than once, for example when your response got lost, and an older event can
          arrive after a newer one. Deduplicate by <Code>X-Service-Delivery</Code>, which is the{' '}
          <Code>id</Code> of the event and the same in every attempt. Order by <Code>occurred_at</Code>, then
          by <Code>id</Code>, not by arrival: events of one change have the same time and increasing ids.
        </Notice>
      </GuidePart>
      <GuidePart id="hooks-removal" title="Removal of hooks">
        <Rows rows={removalRows} />
      </GuidePart>
    </GuideSection>
  );
}

const subscribe = (apiBase: string) => `curl -X POST '${apiBase}/hooks' \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "target_url": "https://hooks.platform.example/hooks/standard/1042/8f14e45f/",
  "event": "conversation.status_changed",
  "status": "solved"
}'`;

const HOOK = `{
  "id": "01a4d7f4-6f70-7192-9394-0f1a2b3c4d5e",
  "event": "conversation.status_changed",
  "target_url": "https://hooks.platform.example/hooks/standard/1042/8f14e45f/",
  "command": null,
  "status": "solved",
  "tag": null,
  "created_at": "2026-11-21T06:33:40.250+00:00"
}`;

const unsubscribe = (apiBase: string) =>
  `curl -X DELETE '${apiBase}/hooks/01a4d7f4-6f70-7192-9394-0f1a2b3c4d5e' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`;

const DELIVERY = `POST /hooks/standard/1042/8f14e45f/ HTTP/1.1
Host: hooks.platform.example
Content-Type: application/json
Accept: application/json
User-Agent: Service-Integration/1
X-Service-Event: conversation.status_changed
X-Service-Delivery: 01a4d7f5-8172-7243-9596-2a3b4c5d6e7f

{
  "id": "01a4d7f5-8172-7243-9596-2a3b4c5d6e7f",
  "event": "conversation.status_changed",
  "occurred_at": "2026-11-21T09:12:47.316+00:00",
  "conversation": {
    "id": "01a4d7f0-2b3c-7d4e-9f50-6b7c8d9e0f1a",
    "subject": "Where is order 1042?",
    "status": "solved",
    …
  },
  "previous_status": "open"
}`;
