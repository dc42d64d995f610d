import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { sameSecret } from '#server/core/secrets.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { WebhookRequest, WebhookVerdict } from '#server/inbox/channels/received-update.ts';

/** A request whose time is further from ours is taken for one that was recorded and sent again, in seconds. */
const REPLAY_WINDOW_SECONDS = 300;

const bodyShape = z.object({
  type: z.string(),
  challenge: z.string().optional(),
  team_id: z.string().optional(),
});

/**
 * Judges a request by Slack's signature: an HMAC-SHA256 of version, time and body under the signing secret
 * (docs.slack.dev, verifying requests from Slack). Answers the question by which Slack checks the address, and what is
 * meant for another team with nothing.
 */
export function verifySlack(
  { method, headers, rawBody }: WebhookRequest,
  account: ConnectedAccount,
  now = Date.now(),
): WebhookVerdict {
  const timestamp = headers['x-slack-request-timestamp'] ?? '';
  const signature = headers['x-slack-signature'] ?? '';
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp));
  if (method !== 'POST' || !/^\d{1,12}$/.test(timestamp) || ageSeconds > REPLAY_WINDOW_SECONDS) {
    return { kind: 'bad_signature' };
  }
  const secret = account.credentials.signingSecret ?? '';
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(rawBody).digest('hex');
  if (secret === '' || !sameSecret(signature, `v0=${hmac}`)) return { kind: 'bad_signature' };
  const body = bodyOf(rawBody);
  if (body?.type === 'url_verification') {
    return { kind: 'reply', status: 200, contentType: 'text/plain', body: body.challenge ?? '' };
  }
  const isOthers = body?.team_id !== undefined && body.team_id !== account.externalId;
  return isOthers ? { kind: 'reply', status: 200, contentType: 'text/plain', body: '' } : { kind: 'take' };
}

function bodyOf(rawBody: Buffer): z.infer<typeof bodyShape> | undefined {
  try {
    return bodyShape.safeParse(JSON.parse(rawBody.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
