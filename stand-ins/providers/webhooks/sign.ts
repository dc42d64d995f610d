import { createHmac } from 'node:crypto';

/**
 * Returns Meta's signature header: `sha256=` and the hex HMAC-SHA256 of the raw body with the app secret.
 * @see https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads
 */
export function metaSignature(body: string, appSecret: string): Record<string, string> {
  return { 'X-Hub-Signature-256': `sha256=${hmac(appSecret, body)}` };
}

/** Serializes as Meta does before signing: non-ASCII characters become lowercase escapes. */
export function metaJson(body: unknown): string {
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(body)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, toEscape);
}

/**
 * Returns Slack's signature headers: HMAC-SHA256 of version, timestamp and raw body with the signing secret.
 * @param timestamp seconds since the epoch
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function slackSignature(body: string, secret: string, timestamp: number): Record<string, string> {
  return {
    'X-Slack-Request-Timestamp': String(timestamp),
    'X-Slack-Signature': `v0=${hmac(secret, `v0:${timestamp}:${body}`)}`,
  };
}

/** Returns Telegram's header: Telegram signs nothing and sends the secret from `setWebhook`. */
export function telegramSecret(secret: string): Record<string, string> {
  return secret ? { 'X-Telegram-Bot-Api-Secret-Token': secret } : {};
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
