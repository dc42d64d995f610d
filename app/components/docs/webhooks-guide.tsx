import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { Words } from '#app/components/docs/field-list.tsx';
import { GuidePart, GuideSection, Notice, Rows, Text } from '#app/components/docs/guide-section.tsx';
import type { EventView } from '#server/screens/docs/views.ts';
import { WEBHOOK_EXAMPLES } from '#server/screens/docs/webhook-examples.ts';

/** How a program of a workspace receives and verifies signed webhooks. */
export function WebhooksGuide({ events }: { events: EventView[] }) {
  return (
    <GuideSection id="webhooks" title="Webhooks">
      <Text>
        Programs other than the workflow platform get events through webhooks. Owners and admins create them
        in Settings &gt; Developers. Requests are signed as Standard Webhooks describes, so its libraries and
        those of Svix verify them as they are.
      </Text>
      <CodeBlock title="Request to your address" text={REQUEST} />
      <Text>
        The signature is the HMAC-SHA256 of id, timestamp and body, joined by dots. The key is the base64
        after <Code>whsec_</Code>. After the secret was rotated, requests have two signatures for 24 hours:
        accept a request if one of them is right.
      </Text>
      <Notice>
        Verify the bytes of the body as they arrived, before you parse them. Refuse timestamps that are more
        than five minutes away, so that nobody can repeat an old request. An event may arrive twice: remember
        its <Code>webhook-id</Code>.
      </Notice>
      <GuidePart id="webhooks-verify" title="Verify a request">
        {Object.values(WEBHOOK_EXAMPLES).map(({ title, text }) => (
          <CodeBlock key={title} title={title} text={text} />
        ))}
      </GuidePart>
      <GuidePart id="webhooks-events" title="Events">
        <Rows
          rows={events.map(({ key, description }) => ({
            key,
            name: <Code>{key}</Code>,
            text: <Words>{description}</Words>,
          }))}
        />
      </GuidePart>
      <GuidePart id="webhooks-delivery" title="Responses and retries">
        <Text>
          Respond with any <Code>2xx</Code> within 15 seconds. Everything else is tried again, nine times
          within about three days. <Code>410</Code> pauses the webhook. If it still fails five days after the
          first failure, it is paused too, and owners and admins get an email. Once it is enabled again,
          Replay sends what it has missed.
        </Text>
      </GuidePart>
    </GuideSection>
  );
}

const REQUEST = `POST /webhooks HTTP/1.1
Host: example.com
Content-Type: application/json
webhook-id: 01a4d7f5-8172-7243-9596-2a3b4c5d6e7f
webhook-timestamp: 1795252367
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{
  "id": "01a4d7f5-8172-7243-9596-2a3b4c5d6e7f",
  "type": "note.added",
  "timestamp": "2026-11-21T09:12:47.316+00:00",
  "actor": { "type": "teammate", "id": "01a0b2c4-…", "name": "Olivia Owen" },
  "caused_by": null,
  "data": { "conversation": { … }, "note": { … } }
}`;
