import { expect, test } from 'vitest';
import { judgeSmtpError, type MailFaultKind } from '#server/core/mail/mail-fault.ts';

const error = (fields: object) => Object.assign(new Error('No'), fields);

test.each<[string, object, boolean, MailFaultKind]>([
  ['a mail server that is busy', { responseCode: 421 }, false, 'temporary'],
  ['a mail refused for now after all of it was read', { responseCode: 451 }, true, 'temporary'],
  ['an unknown recipient', { responseCode: 550 }, false, 'refused'],
  ['a mail refused after all of it was read', { responseCode: 554 }, true, 'refused'],
  ['no one who listens', { code: 'ESOCKET', errno: -111 }, false, 'temporary'],
  ['a name that is not found', { code: 'EDNS' }, false, 'temporary'],
  ['a connection that broke before the mail', { code: 'ECONNECTION' }, false, 'temporary'],
  ['a connection that broke while the mail was read', { code: 'ECONNECTION' }, true, 'unclear'],
  ['a file that could not be read', { code: 'ESTREAM' }, false, 'temporary'],
  ['an error without a code', {}, false, 'temporary'],
  ['a mail server without TLS', { code: 'ETLS' }, false, 'refused'],
  ['a recipient that is not an address', { code: 'EENVELOPE' }, false, 'refused'],
])('%s', (_what, fields, handedOver, kind) => {
  expect(judgeSmtpError(error(fields), { connected: true, handedOver })).toBe(kind);
});
