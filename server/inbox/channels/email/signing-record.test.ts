import { expect, test } from 'vitest';
import { containsKey } from '#server/inbox/channels/email/signing-keys.ts';

test.each([
  ['as the screen shows it', 'v=DKIM1; k=rsa; p=QUJD', true],
  ['without spaces, with another tag', 'v=DKIM1;p=QUJD;n=ours;k=rsa;', true],
  ['with only the key', 'p=QUJD', true],
  ['with spaces in the key, as providers split it', 'v=DKIM1; p=QU JD', true],
  ['with another key', 'v=DKIM1; k=rsa; p=QUJE', false],
  ['with a revoked key', 'v=DKIM1; p=', false],
  ['of another key type', 'v=DKIM1; k=ed25519; p=QUJD', false],
  ['for another purpose', 'inbox-verification=QUJD', false],
])('a record %s', (_what, text, isRight) => {
  expect(containsKey(text, 'QUJD')).toBe(isRight);
});
