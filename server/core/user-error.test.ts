import { expect, test } from 'vitest';
import { explainDatabaseError, explainListenError, reasonOf, UserError } from '#server/core/user-error.ts';

const withCode = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

test.each([
  ['EADDRINUSE', 'Port 2525 is in use. Free it, or set INBOUND_SMTP_PORT to another one.'],
  ['EACCES', 'Port 2525 may not be opened by this user. Set INBOUND_SMTP_PORT to one above 1023.'],
  [
    'EADDRNOTAVAIL',
    'Port 2525 cannot be opened at mx.test (EADDRNOTAVAIL). Set HOST to an address of this machine.',
  ],
  ['ENOTFOUND', 'Port 2525 cannot be opened at mx.test (ENOTFOUND). Set HOST to an address of this machine.'],
])('a port that cannot be opened because of %s is reported with its setting', (code, sentence) => {
  const at = { port: 2525, setting: 'INBOUND_SMTP_PORT', host: 'mx.test', hostSetting: 'HOST' };
  expect(explainListenError(withCode(code), at)).toEqual(new UserError(sentence));
});

test('another error of a listener stays as it is', () => {
  const error = new UserError('INBOUND_SMTP_CERT_FILE names mail.pem, which cannot be read (ENOENT).');
  const at = { port: 2525, setting: 'INBOUND_SMTP_PORT', host: 'mx.test', hostSetting: 'HOST' };
  expect(explainListenError(error, at)).toBe(error);
});

test.each([
  [
    'a name with two addresses',
    Object.assign(new AggregateError([withCode('ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
  ],
  ['an unknown name', withCode('ENOTFOUND')],
  ['a machine that is off', withCode('EHOSTUNREACH')],
  ['a silent machine', new Error('Connection terminated due to connection timeout')],
  ['a pool without a connection', new Error('timeout exceeded when trying to connect')],
])('a database that cannot be reached at %s is reported with its setting', (_at, error) => {
  expect(reasonOf(explainDatabaseError(error))).toMatch(
    /^The database cannot be reached \(.+\): check DATABASE_URL and that PostgreSQL is running\.$/,
  );
});
