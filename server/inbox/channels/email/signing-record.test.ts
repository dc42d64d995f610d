import { expect, test } from 'vitest';
import { holdsKey } from '#server/inbox/channels/email/signing-keys.ts';

test.each([
  ['as it is shown', 'v=DKIM1; k=rsa; p=QUJD', true],
  ['without spaces, and with a note', 'v=DKIM1;p=QUJD;n=ours;k=rsa;', true],
  ['with the key alone', 'p=QUJD', true],
  ['with the key broken by spaces, as providers split it', 'v=DKIM1; p=QU JD', true],
  ['with another key', 'v=DKIM1; k=rsa; p=QUJE', false],
  ['with a key that was withdrawn', 'v=DKIM1; p=', false],
  ['of another kind', 'v=DKIM1; k=ed25519; p=QUJD', false],
  ['of something else', 'inbox-verification=QUJD', false],
])('a record %s', (_what, text, isRight) => {
  expect(holdsKey(text, 'QUJD')).toBe(isRight);
});
