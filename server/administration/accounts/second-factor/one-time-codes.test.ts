import { expect, test } from 'vitest';
import {
  newRecoveryCodes,
  newTotpSecret,
  parseCode,
  totpStep,
  totpUri,
} from '#server/administration/accounts/second-factor/one-time-codes.ts';

/** The secret of RFC 6238 appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.for([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [2_000_000_000, '279037', 66_666_666],
  [89, '287082', 1],
  [29, '287082', 1],
  [120, '287082', undefined],
  [1_111_111_109, '081805', undefined],
] as const)('RFC 6238 appendix B: at %d s, %s is the code of step %s', async ([seconds, code, step]) => {
  expect(await totpStep(SECRET, code, seconds * 1_000)).toBe(step);
});

test('secrets have 160 bits, recovery codes 80, and none is repeated', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  const codes = [...newRecoveryCodes(), ...newRecoveryCodes()];
  expect(new Set(codes).size).toBe(20);
  for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
});

test.for([
  [' 123 456 ', { kind: 'app', code: '123456' }],
  ['ABCD efgh-ijkl-MNOP', { kind: 'recovery', code: 'abcd-efgh-ijkl-mnop' }],
  ['12345', undefined],
  ['1234567', undefined],
  ['١٢٣٤٥٦', undefined],
  ['', undefined],
  [`${' '.repeat(100)}123456`, undefined],
] as const)('%j is read as typed', ([typed, parsed]) => {
  expect(parseCode(typed)).toEqual(parsed);
});

test('the address of the QR code names the service and the account', () => {
  expect(totpUri(SECRET, { issuer: 'Acme Inbox', account: 'ada@acme.test' })).toBe(
    `otpauth://totp/Acme%20Inbox:ada%40acme.test?secret=${SECRET}&issuer=Acme%20Inbox`,
  );
});
