import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import {
  addressProblem,
  isPublicAddress,
  publicLookup,
} from '#server/automation/deliveries/public-address.ts';
import { urlProblem } from '#server/automation/webhooks/endpoint-input.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();

describe('an attacker cannot enter a URL with', () => {
  test.each([
    ['plain http', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/'],
    ['a file', 'file:///etc/hosts'],
    ['no host', 'https:///hook'],
    ['this machine by name', 'https://localhost/'],
    ['a name of the local network', 'https://intranet/'],
    ['this machine by address', 'https://127.0.0.1/'],
    ['this machine as a decimal number', 'https://2130706433/'],
    ['this machine as a hexadecimal number', 'https://0x7f000001/'],
    ['this machine in octal parts', 'https://0177.0.0.1/'],
    ['this machine in few parts', 'https://127.1/'],
    ['this machine in full-width digits', 'https://１２７.０.０.１/'],
    ['this machine over IPv6', 'https://[::1]/'],
    ['this machine inside IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['this machine inside IPv6, in the old form', 'https://[::127.0.0.1]/'],
    ['this machine behind a translator', 'https://[64:ff9b::7f00:1]/'],
    ['this machine in a 6to4 address', 'https://[2002:7f00:1::]/'],
    ['a Teredo address', 'https://[2001:0:7f00:1::]/'],
    ['the metadata service of a cloud', 'https://169.254.169.254/latest/meta-data'],
    ['a private network', 'https://10.0.0.8/'],
    ['another private network', 'https://172.16.0.1/'],
    ['a home network', 'https://192.168.1.1/'],
    ['a carrier’s network', 'https://100.64.0.1/'],
    ['a private network over IPv6', 'https://[fd00::1]/'],
    ['a link', 'https://[fe80::1]/'],
    ['a group', 'https://224.0.0.1/'],
    ['a group over IPv6', 'https://[ff02::1]/'],
    ['no address', 'https://0.0.0.0/'],
    ['everybody', 'https://255.255.255.255/'],
    ['a test network', 'https://192.0.2.1/'],
    ['a user name', 'https://admin@example.com/'],
    ['a password', 'https://admin:secret@example.com/'],
    ['the port of SSH', 'https://example.com:22/'],
    ['the port of SMTP', 'https://example.com:25/'],
    ['a fragment', 'https://example.com/#hook'],
    ['a back slash', 'https://example.com\\@127.0.0.1/'],
    ['a line break', 'https://example.com/\r\nX: y'],
    ['more than 500 characters', `https://example.com/${'a'.repeat(500)}`],
  ])('%s', (_what, url) => {
    expect(urlProblem(url)).toMatch(/\.$/);
  });
});

test.each([
  'https://example.com',
  'https://hooks.example.com:8443/a?b=c',
  'https://93.184.215.14/hook',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook',
])('a public URL is accepted: %s', (url) => {
  expect(urlProblem(url)).toBeUndefined();
});

describe('an attacker cannot have the service connect to', () => {
  test.each([
    ['a private address', ['10.0.0.8']],
    ['a private address beside a public one', ['93.184.215.14', '192.168.1.1']],
    ['this machine over IPv6', ['::1']],
    ['an IPv4 address inside IPv6', ['::ffff:169.254.169.254']],
    ['a name without addresses', []],
  ])('%s', async (_what, addresses) => {
    await expect(look('evil.test', () => addresses)).rejects.toThrow('has no public address');
  });

  test('a name that leads elsewhere after it was checked: each attempt checks the addresses that it uses', async () => {
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const rebinding = () => answers.shift() ?? [];
    expect(await look('evil.test', rebinding)).toEqual(['93.184.215.14']);
    expect(answers).toHaveLength(1);
    await expect(look('evil.test', rebinding)).rejects.toThrow('has no public address');
  });

  test('an address that needs no lookup', () => {
    expect(addressProblem('127.0.0.1', [])).toBeDefined();
    expect(addressProblem('[::1]', [])).toBeDefined();
    expect(addressProblem('93.184.215.14', [])).toBeUndefined();
    expect(addressProblem('example.com', [])).toBeUndefined();
  });

  test('another private host than those that the operator names', async () => {
    expect(await look('hooks.lan', () => ['10.0.0.8'], ['hooks.lan'])).toEqual(['10.0.0.8']);
    await expect(look('other.lan', () => ['10.0.0.8'], ['hooks.lan'])).rejects.toThrow();
    expect(addressProblem('10.0.0.8', ['10.0.0.8'])).toBeUndefined();
    expect(addressProblem('10.0.0.9', ['10.0.0.8'])).toBeDefined();
  });
});

test('a text that is no address is not public', () => {
  expect(isPublicAddress('example.com')).toBe(false);
  expect(isPublicAddress('')).toBe(false);
});

/** Looks up a name as connecting does, with a name server that answers with these addresses. */
function look(host: string, answer: () => string[], privateHosts: string[] = []): Promise<string[]> {
  const resolve = ((
    _host: string,
    _options: object,
    callback: (error: null, found: LookupAddress[]) => void,
  ) => {
    callback(
      null,
      answer().map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as never;
  return new Promise((done, fail) => {
    publicLookup(privateHosts, { resolve, resolvePrivate: resolve })(host, { all: true }, (error, found) => {
      if (error) fail(error);
      else done((found as LookupAddress[]).map(({ address }) => address));
    });
  });
}
