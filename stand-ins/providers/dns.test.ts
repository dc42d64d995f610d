import { Resolver } from 'node:dns/promises';
import { authenticate } from 'mailauth';
import nodemailer from 'nodemailer';
import { describe, expect, it } from 'vitest';
import { parseQuestion } from './dns/dns-message.ts';
import { playService, until } from './played-service.ts';

const { played, control } = playService();

function resolver(): Resolver {
  const asked = new Resolver({ timeout: 2_000, tries: 2 });
  asked.setServers([`127.0.0.1:${new URL(played.url).port}`]);
  return asked;
}

const add = (type: string, name: string, value: string) =>
  control('POST', '/control/dns-records', { type, name, value });

describe('the name server', () => {
  it('answers records that were added, also long ones, and no others', async () => {
    const key = `v=DKIM1; k=rsa; p=${'A'.repeat(400)}`;
    expect(await add('TXT', '_inbox-verification.Acme.test', 'inbox-verification=x')).toEqual({
      problem: null,
    });
    expect(await add('TXT', 'inbox-1._domainkey.acme.test', key)).toEqual({ problem: null });
    expect(await add('MX', 'acme.test', 'mx.acme.test')).toEqual({ problem: null });
    const dns = resolver();
    expect(await dns.resolveTxt('_inbox-verification.acme.test')).toEqual([['inbox-verification=x']]);
    const [parts = []] = await dns.resolveTxt('inbox-1._domainkey.acme.test');
    expect(parts.join('')).toBe(key);
    expect(await dns.resolveMx('acme.test')).toMatchObject([{ priority: 10, exchange: 'mx.acme.test' }]);
    await expect(dns.resolveTxt('acme.test')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(dns.resolveTxt('nowhere.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('sends the mail of the demo workspaces to the service', async () => {
    expect(await resolver().resolveMx('growth.demo.test')).toMatchObject([
      { priority: 10, exchange: '127.0.0.1' },
    ]);
  });

  it.each([
    ['A', 'acme.test', '192.0.2.1'],
    ['TXT', 'acme com.test', 'x'],
    ['TXT', 'shop.com', 'x'],
    ['TXT', 'acme.test', ''],
    ['TXT', 'acme.test', 'x'.repeat(451)],
    ['MX', 'acme.test', '70000 mx.acme.test'],
  ])('refuses the record %s %s', async (type, name, value) => {
    expect(await add(type, name, value)).toEqual({ problem: expect.any(String) });
  });

  it.each(['', 'x', '\0'.repeat(12), `${'\0'.repeat(5)}\x01${'\0'.repeat(6)}\x3fabc`])(
    'ignores the message %j',
    (message) => {
      expect(parseQuestion(Buffer.from(message, 'latin1'))).toBeUndefined();
    },
  );
});

describe('a mail of a contact', () => {
  const verdict = async (given: object) => {
    const from = { name: 'Ada', address: 'ada@contacts.example' };
    await control('POST', '/control/mails', { from, to: 'support@growth.demo.test', text: 'Hi', ...given });
    const { dmarc } = await authenticate(played.mails.at(-1)?.raw ?? Buffer.alloc(0), {
      resolver: (name, kind) => resolver().resolve(name, kind) as Promise<string[]>,
    });
    return dmarc ? dmarc.status.result : null;
  };

  it.each(['contacts.example', 'example.com', 'mail.example.org'])(
    'at %s passes DMARC, as it is signed',
    async (domain) => {
      expect(await verdict({ from: { name: 'Ada', address: `ada@${domain}` } })).toBe('pass');
    },
  );

  it('does not pass when its sender is forged', async () => {
    expect(await verdict({ forged: true })).toBe('fail');
  });

  it('has no verdict from a domain without records', async () => {
    expect(await verdict({ from: { name: 'Ada', address: 'ada@acme.test' } })).not.toBe('pass');
  });
});

it('mail of the service to a mailbox of the service comes back to it, other mail does not', async () => {
  await add('MX', 'acme.test', '10 127.0.0.1');
  const { smtpPort } = played.running.providers.settings;
  const transport = nodemailer.createTransport({ host: 'localhost', port: smtpPort, ignoreTLS: true });
  const to = ['ada@contacts.example', 'help@acme.test', 'support@growth.demo.test'];
  await transport.sendMail({ from: 'no-reply@localhost', to, subject: 'Test', text: 'Hi' });
  const relayed = await until('the mail came back', () => played.mails[0]);
  expect(relayed.to).toEqual(['help@acme.test', 'support@growth.demo.test']);
});
