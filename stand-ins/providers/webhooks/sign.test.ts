import { describe, expect, it } from 'vitest';
import { metaJson, metaSignature, slackSignature } from './sign.ts';

describe('Meta’s signature', () => {
  it('matches the published example', () => {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
    // (the same scheme, and the only published pair of secret and signature)
    expect(metaSignature('Hello, World!', "It's a Secret to Everybody")).toEqual({
      'X-Hub-Signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    });
  });

  it('covers JSON with lowercase escapes for all non-ASCII characters', () => {
    // https://developers.facebook.com/docs/messenger-platform/webhooks#validate-payloads
    expect(metaJson('äöå')).toBe('"\\u00e4\\u00f6\\u00e5"');
    expect(JSON.parse(metaJson({ text: '👍 a/b' }))).toEqual({ text: '👍 a/b' });
  });
});

it('Slack’s signature matches the published example', () => {
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  expect(slackSignature(body, '8f742231b10e8888abcd99yyyzzz85a5', 1_531_420_618)).toEqual({
    'X-Slack-Request-Timestamp': '1531420618',
    'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  });
});
