import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { Words } from '#app/components/docs/field-list.tsx';
import { GuidePart, GuideSection, Notice, Rows, Text } from '#app/components/docs/guide-section.tsx';
import type { EventView } from '#server/screens/docs/views.ts';

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
        <CodeBlock title="JavaScript, with standardwebhooks" text={JAVASCRIPT} />
        <CodeBlock title="Python, with standardwebhooks" text={PYTHON} />
        <CodeBlock title="Go, with the library of Standard Webhooks" text={GO} />
        <CodeBlock title="PHP, without a library" text={PHP} />
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

const JAVASCRIPT = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

app.post('/webhooks', express.raw({ type: 'application/json' }), (req, res) => {
  try {
    webhook.verify(req.body.toString(), req.headers);
  } catch {
    return res.sendStatus(400);
  }
  store(JSON.parse(req.body.toString()));
  res.sendStatus(204);
});`;

const PYTHON = `from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/webhooks")
def receive():
    body = request.get_data(as_text=True)
    try:
        webhook.verify(body, dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    store(json.loads(body))
    return "", 204`;

const GO = `import standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

func receive(w http.ResponseWriter, r *http.Request) {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		http.Error(w, "no secret", http.StatusInternalServerError)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || webhook.Verify(body, r.Header) != nil {
		http.Error(w, "not verified", http.StatusBadRequest)
		return
	}
	store(body)
	w.WriteHeader(http.StatusNoContent)
}`;

const PHP = `$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

$isGenuine = abs(time() - (int) $timestamp) <= 300;
$signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
$matching = array_filter($signatures, fn ($signature) => hash_equals($expected, $signature));
if (!$isGenuine || count($matching) === 0) {
    http_response_code(400);
    exit;
}
store(json_decode($body, true));
http_response_code(204);`;
