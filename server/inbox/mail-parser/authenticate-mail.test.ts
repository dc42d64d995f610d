import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticateMail, type MailEnvelope } from '#server/inbox/mail-parser/authenticate-mail.ts';
import { lookUpSender } from '#server/inbox/mail-parser/sender-lookups.ts';
import { type Seal, sealed, sealKeys } from '#test/fixtures/sealed-mail.ts';
import { startDnsServer } from '#test/servers/dns-server.ts';

let dns: Awaited<ReturnType<typeof startDnsServer>>;
beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(() => dns.stop());
beforeEach(() => dns.answers.clear());

const MAIL =
  'From: Ada <ada@acme.test>\r\nTo: support@inbox.test\r\nSubject: Hi\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n\r\nHello\r\n';
const ENVELOPE = { ip: '192.0.2.7', helo: 'mx.acme.test', from: 'ada@acme.test' };

const DMARC = { '_dmarc.acme.test': 'v=DMARC1; p=reject' };

test('a mail from a server in the domain’s SPF record passes', async () => {
  publish({ ...DMARC, 'acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
  expect(await judge()).toBe('passed');
});

test('a mail with the domain’s DKIM signature passes from any server', async () => {
  publish({ ...DMARC, 'acme.test': 'v=spf1 -all', 's1._domainkey.acme.test': `v=DKIM1; k=rsa; p=${KEY}` });
  expect(await judge(await signed('acme.test'))).toBe('passed');
});

test('SPF passes for a domain without a DMARC policy, even from a subdomain', async () => {
  publish({ 'acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
  expect(await judge()).toBe('passed');
  publish({ 'mail.acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
  expect(await judge(MAIL, { ...ENVELOPE, from: 'bounces@mail.acme.test' })).toBe('passed');
});

test('strict alignment is honoured: a signature or sender of a subdomain proves nothing', async () => {
  const records = {
    'mail.acme.test': 'v=spf1 ip4:192.0.2.7 -all',
    's1._domainkey.mail.acme.test': `v=DKIM1; k=rsa; p=${KEY}`,
  };
  const envelope = { ...ENVELOPE, from: 'bounces@mail.acme.test' };
  publish({ ...records, '_dmarc.acme.test': 'v=DMARC1; p=none; adkim=s; aspf=s' });
  expect(await judge(await signed('mail.acme.test'), envelope)).toBe('failed');
  publish({ ...records, '_dmarc.acme.test': 'v=DMARC1; p=none; adkim=s' });
  expect(await judge(await signed('mail.acme.test'), envelope)).toBe('passed');
  expect(await judge(await signed('mail.acme.test'), { ...envelope, ip: '198.51.100.66' })).toBe('failed');
});

test('a signature that covers only the start of the body proves nothing by itself', async () => {
  const raw = await signed('acme.test', MAIL, { maxBodyLength: 2 });
  for (const policy of [DMARC, {}]) {
    publish({ ...policy, 's1._domainkey.acme.test': `v=DKIM1; k=rsa; p=${KEY}` });
    expect(await judge(raw)).toBe('failed');
    dns.answers.clear();
  }
  publish({
    ...DMARC,
    'acme.test': 'v=spf1 ip4:192.0.2.7 -all',
    's1._domainkey.acme.test': `v=DKIM1; k=rsa; p=${KEY}`,
  });
  expect(await judge(raw)).toBe('passed');
});

test('an attacker who is another tenant of a shared domain with a policy fails', async () => {
  publish({
    '_dmarc.github.io': 'v=DMARC1; p=reject',
    'mallory.github.io': 'v=spf1 ip4:192.0.2.7 -all',
    's1._domainkey.mallory.github.io': `v=DKIM1; k=rsa; p=${KEY}`,
  });
  const raw = MAIL.replace('ada@acme.test', 'ada@ada.github.io');
  const envelope = { ...ENVELOPE, from: 'x@mallory.github.io' };
  expect(await judge(await signed('mallory.github.io', raw), envelope)).toBe('failed');
  publish({ 'ada.github.io': 'v=spf1 ip4:192.0.2.7 -all' });
  expect(await judge(raw, { ...ENVELOPE, from: 'ada@ada.github.io' })).toBe('passed');
});

test.for(['p=reject', 'p=reject; adkim=s'])(
  'a domain in Unicode in From is aligned with its ASCII form: %s',
  async (policy) => {
    const domain = 'xn--mller-kva.test';
    publish({
      [`_dmarc.${domain}`]: `v=DMARC1; ${policy}`,
      [`s1._domainkey.${domain}`]: `v=DKIM1; k=rsa; p=${KEY}`,
    });
    expect(await judge(await signed(domain, MAIL.replace('ada@acme.test', 'ada@müller.test')))).toBe(
      'passed',
    );
  },
);

test('an attacker who sends from another server fails', async () => {
  publish({ ...DMARC, 'acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
  expect(await judge(MAIL, { ...ENVELOPE, ip: '198.51.100.66' })).toBe('failed');
});

test('an attacker whose own domain passes SPF and DKIM fails for another domain', async () => {
  publish({
    ...DMARC,
    'evil.test': 'v=spf1 ip4:192.0.2.7 -all',
    's1._domainkey.evil.test': `v=DKIM1; k=rsa; p=${KEY}`,
  });
  expect(await judge(await signed('evil.test'), { ...ENVELOPE, from: 'mallory@evil.test' })).toBe('failed');
});

test('an attacker who changes a signed mail fails', async () => {
  publish({ 's1._domainkey.acme.test': `v=DKIM1; k=rsa; p=${KEY}` });
  expect(await judge((await signed('acme.test')).replace('Hello', 'Pay me'))).toBe('failed');
});

test('an attacker fails for a domain with an SPF record and no DMARC policy', async () => {
  publish({ 'acme.test': 'v=spf1 ip4:192.0.2.7 ~all' });
  expect(await judge(MAIL, { ...ENVELOPE, ip: '198.51.100.66' })).toBe('failed');
});

const FORWARDER = { 'forwarder.test': 'v=spf1 ip4:192.0.2.7 -all' };

test.for([
  ['publishes nothing', {}, 'unknown'],
  ['says that its SPF is no proof', { 'acme.test': 'v=spf1 mx ?all' }, 'unknown'],
  ['publishes SPF', { 'acme.test': 'v=spf1 mx ~all' }, 'failed'],
  ['publishes a long SPF', { 'acme.test': `v=spf1 ${'ip4:192.0.2.99 '.repeat(20)}-all` }, 'failed'],
  ['publishes SPF elsewhere', { 'acme.test': 'v=spf1 redirect=_spf.acme.test' }, 'failed'],
  ['publishes DMARC', DMARC, 'failed'],
] as const)(
  'a mail that a server with its own domain forwards proves as much as from anywhere: its domain %s',
  async ([_what, records, result]) => {
    publish({ ...FORWARDER, ...records, 's1._domainkey.forwarder.test': `v=DKIM1; k=rsa; p=${KEY}` });
    const forwarded = { ...ENVELOPE, from: 'support+caf_=ada=acme.test@forwarder.test' };
    expect(await judge(await signed('forwarder.test'), forwarded)).toBe(result);
    // An attacker can send without any records of their own.
    expect(await judge(MAIL, { ip: '198.51.100.66', helo: 'x.test', from: 'x@none.test' })).toBe(result);
  },
);

const GOOGLE = `mx.google.com;\r\n       spf=pass (google.com: domain of ada@acme.test designates 198.51.100.1 as permitted sender) smtp.mailfrom=ada@acme.test`;
const MICROSOFT =
  'mx.microsoft.com 1; spf=pass (sender ip is 198.51.100.1) smtp.rcpttodomain=shop.test smtp.mailfrom=acme.test; dkim=none (message not signed)';
const FAILED =
  'mx.microsoft.com 1; spf=fail (sender ip is 198.51.100.9) smtp.mailfrom=acme.test; dmarc=fail action=none header.from=acme.test; arc=pass (0 oda=1 ltdi=1)';
const PASSED = 'dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=acme.test';

/** A provider forwards a mail of a domain whose SPF lists its own servers only. */
const LISTED = {
  'acme.test': 'v=spf1 ip4:198.51.100.1 -all',
  'forwarder.test': 'v=spf1 ip4:192.0.2.7 -all',
  ...sealKeys('google.com', 'microsoft.com', 'evil.test'),
};
const FORWARDED = { ...ENVELOPE, from: 'support+caf_=in=inbox.test@forwarder.test' };

describe('a mail whose domain passed before a provider forwarded it passes', () => {
  test.for<[string, Record<string, string>, Seal[]]>([
    ['Google', DMARC, [['google.com', `${GOOGLE};\r\n       ${PASSED}`]]],
    ['Microsoft', DMARC, [['microsoft.com', `${MICROSOFT}; ${PASSED}; arc=none (0)`]]],
    ['Google, without a policy', {}, [['google.com', GOOGLE]]],
    [
      'Microsoft, without a policy',
      {},
      [['microsoft.com', `${MICROSOFT}; dmarc=bestguesspass action=none header.from=acme.test`]],
    ],
    [
      'Google, by a signature that broke since',
      {},
      [
        [
          'google.com',
          'mx.google.com; dkim=pass header.i=@mail.acme.test header.s=s1 header.b="a/b+cdef"; spf=softfail smtp.mailfrom="bounces+1=x@acme.test"',
        ],
      ],
    ],
    [
      'Microsoft, within its network',
      DMARC,
      [
        ['microsoft.com', `${MICROSOFT}; ${PASSED}`],
        ['microsoft.com', FAILED],
      ],
    ],
    [
      'Google and then Microsoft',
      DMARC,
      [
        ['google.com', `${GOOGLE}; ${PASSED}`],
        ['microsoft.com', FAILED],
      ],
    ],
  ])('%s', async ([_who, policy, seals]) => {
    publish({ ...LISTED, ...policy });
    const raw = await sealed(MAIL, seals);
    expect(await authenticated(raw, FORWARDED)).toMatchObject({
      authentication: 'passed',
      author: 'ada@acme.test',
      checks: { spf: { result: 'pass', domain: 'forwarder.test' }, forwarder: seals[0]?.[0] },
    });
  });
});

describe('an attacker gains nothing by the results of', () => {
  test.for<[string, Seal[]]>([
    ['a server of their own', [['evil.test', `mx.evil.test; ${PASSED}`]]],
    [
      'a server of their own, before a provider forwards it',
      [
        ['evil.test', `mx.evil.test; ${PASSED}`],
        ['google.com', FAILED],
      ],
    ],
    [
      'a provider, which their own server passes on',
      [
        ['google.com', `${GOOGLE}; ${PASSED}`],
        ['evil.test', `mx.evil.test; ${PASSED}`],
      ],
    ],
    [
      'a provider, about their own domain',
      [['google.com', 'mx.google.com; spf=pass smtp.mailfrom=x@evil.test; dmarc=pass header.from=evil.test']],
    ],
    [
      'a provider, about their own envelope and signature',
      [['google.com', 'mx.google.com; dkim=pass header.i=@evil.test; spf=pass smtp.mailfrom=x@evil.test']],
    ],
    [
      'a provider that refuted them',
      [
        [
          'google.com',
          'mx.google.com; spf=pass smtp.mailfrom=x@acme.test; dmarc=fail (p=REJECT) header.from=acme.test',
        ],
      ],
    ],
    ['a provider that says nothing', [['google.com', 'mx.google.com; none']]],
    ...[
      'dkim=pass(signed) header.i=@acme.test header.s=s header.b=abc',
      'spf=pass smtp.mailfrom=x@acme.test(the sender)',
      'spf=pass (x@acme.test)smtp.mailfrom=x@acme.test',
      'spf=pass smtp.mailfrom="the sender"@acme.test',
    ].map((results): [string, Seal[]] => [
      `a provider whose results can be read in two ways: ${results}`,
      [['google.com', `mx.google.com; ${results}`]],
    ]),
  ])('%s', async ([_whom, seals]) => {
    publish({ ...LISTED, ...DMARC });
    expect(await authenticated(await sealed(MAIL, seals), FORWARDED)).toMatchObject({
      authentication: 'failed',
      checks: { forwarder: null },
    });
  });

  test('a provider, in a mail that was changed since', async () => {
    publish({ ...LISTED, ...DMARC });
    const raw = await sealed(MAIL, [['google.com', `${GOOGLE}; ${PASSED}`]]);
    expect(await judge(raw, FORWARDED)).toBe('passed');
    const changes: [string, string][] = [
      ['Hello', 'Pay me'],
      ['Ada <ada@', 'Eve <eve@'],
      ['smtp.mailfrom=ada@', 'smtp.mailfrom=eve@'],
    ];
    for (const [before, after] of changes) {
      expect(raw).toContain(before);
      expect(await judge(raw.replace(before, after), FORWARDED)).toBe('failed');
    }
  });

  test('a provider whose key is not published', async () => {
    publish({ ...LISTED, ...DMARC });
    dns.answers.delete('arc._domainkey.google.com');
    expect(await judge(await sealed(MAIL, [['google.com', `${GOOGLE}; ${PASSED}`]]), FORWARDED)).toBe(
      'failed',
    );
  });
});

test('a mail that passes by itself, or that no provider vouches for, has no forwarder', async () => {
  publish({ ...LISTED, ...DMARC, 's1._domainkey.acme.test': `v=DKIM1; k=rsa; p=${KEY}` });
  const raw = await sealed(await signed('acme.test'), [['google.com', `${GOOGLE}; ${PASSED}`]]);
  expect((await authenticated(raw, FORWARDED)).checks).toMatchObject({
    forwarder: null,
    dmarc: { result: 'pass' },
  });
});

test('an attacker fails for a domain in Unicode with an SPF record only', async () => {
  publish({ 'xn--mller-kva.test': 'v=spf1 mx -all' });
  const envelope = { ip: '198.51.100.66', helo: 'x.test', from: 'x@none.test' };
  expect(await judge(MAIL.replace('acme.test', 'müller.test'), envelope)).toBe('failed');
});

test('the result is unknown when the sender’s name servers answer nothing about SPF', async () => {
  dns.answers.set('acme.test', 'broken');
  expect(await judge(MAIL, { ...ENVELOPE, from: 'x@none.test' })).toBe('unknown');
});

test('the absence note of a domain with SPF only is unknown, as it has no sender', async () => {
  publish({ 'acme.test': 'v=spf1 mx -all' });
  expect(await judge(MAIL, { ...ENVELOPE, from: '' })).toBe('unknown');
});

test('an attacker who writes two From headers, or none, fails', async () => {
  publish({ ...DMARC, 'acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
  expect(await judge(`From: mallory@evil.test\r\n${MAIL}`)).toBe('failed');
  expect(await judge(MAIL.replace('From: Ada <ada@acme.test>\r\n', ''))).toBe('failed');
});

test('the result is unknown for a domain without SPF, DKIM and DMARC records', async () => {
  expect(await judge()).toBe('unknown');
});

test('the result is unknown when the sender’s name servers do not answer', async () => {
  dns.answers.set('_dmarc.acme.test', 'broken');
  dns.answers.set('acme.test', 'broken');
  expect(await judge()).toBe('unknown');
});

test('an attacker gains nothing by naming a domain whose name servers do not answer', async () => {
  publish({ ...DMARC, 'acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
  dns.answers.set('evil.test', 'broken');
  dns.answers.set('s1._domainkey.evil.test', 'broken');
  const envelope = { ...ENVELOPE, ip: '198.51.100.66', from: 'mallory@evil.test' };
  expect(await judge(await signed('evil.test'), envelope)).toBe('failed');
});

test('an attacker gains nothing by a header section so large that From is not found', async () => {
  publish({ ...DMARC, 'acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
  const padding = `X: ${'y'.repeat(300_000)}\r\n`;
  expect(await judge(padding + MAIL, { ...ENVELOPE, ip: '198.51.100.66' })).toBe('failed');
});

test.for(['a..b', 'x'.repeat(64), 'lame'])(
  'an attacker gains nothing by a signature of the victim’s domain with a key name that gets no answer: %s',
  async (selector) => {
    publish({ ...DMARC, 'acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
    dns.answers.set('lame._domainkey.acme.test', 'broken');
    const forged = (await signed('acme.test')).replace('s=s1;', `s=${selector};`);
    expect(forged).toContain(`s=${selector};`);
    expect(await judge(forged, { ...ENVELOPE, ip: '198.51.100.66' })).toBe('failed');
  },
);

test('an attacker gains nothing by an envelope address below the victim’s domain that gets no answer', async () => {
  publish({ ...DMARC, 'acme.test': 'v=spf1 ip4:192.0.2.7 -all' });
  dns.answers.set('lame.acme.test', 'broken');
  for (const from of ['x@lame.acme.test', 'x@a..b.acme.test']) {
    expect(await judge(MAIL, { ip: '198.51.100.66', helo: 'mx.evil.test', from })).toBe('failed');
  }
});

test('the results of SPF, DKIM and DMARC are reported with their domains', async () => {
  publish({
    '_dmarc.acme.test': 'v=DMARC1; p=quarantine',
    'evil.test': 'v=spf1 ip4:192.0.2.7 -all',
    's1._domainkey.evil.test': `v=DKIM1; k=rsa; p=${KEY}`,
  });
  const forged = await authenticated(await signed('evil.test'), { ...ENVELOPE, from: 'mallory@evil.test' });
  expect(forged.checks).toEqual({
    spf: { result: 'pass', domain: 'evil.test' },
    dkim: [{ result: 'pass', domain: 'evil.test' }],
    dmarc: { result: 'fail', domain: 'acme.test', policy: 'quarantine' },
    forwarder: null,
  });
});

test('a mail that no mail server sent has no result of SPF, and fails only if its domain publishes a policy', async () => {
  const envelope = { ip: null, helo: null, from: '' };
  expect(await authenticated(MAIL, envelope)).toMatchObject({
    authentication: 'unknown',
    checks: { spf: null, dkim: [], dmarc: { result: 'none', domain: 'acme.test' } },
  });
  publish(DMARC);
  expect(await judge(MAIL, envelope)).toBe('failed');
});

test('valid signatures are reported first, and no more than three', async () => {
  publish({ 's1._domainkey.evil.test': `v=DKIM1; k=rsa; p=${KEY}` });
  let raw = await signed('evil.test');
  for (const n of [1, 2, 3, 4]) raw = await signed(`d${n}.test`, raw);
  const { checks } = await authenticated(raw);
  expect(checks?.dkim).toHaveLength(3);
  expect(checks?.dkim[0]).toEqual({ result: 'pass', domain: 'evil.test' });
});

async function judge(raw = MAIL, envelope: MailEnvelope = ENVELOPE) {
  return (await authenticated(raw, envelope)).authentication;
}

async function authenticated(raw: string, envelope: MailEnvelope = ENVELOPE) {
  const lookups = await lookUpSender(Buffer.from(raw), envelope, [dns.address]);
  return authenticateMail(Buffer.from(raw), envelope, lookups);
}

function publish(records: Record<string, string>): void {
  // A text of a record has 255 characters at most (RFC 1035 §3.3.14).
  for (const [name, text] of Object.entries(records)) dns.answers.set(name, [text.match(/.{1,255}/g) ?? []]);
}

async function signed(domain: string, raw = MAIL, options: { maxBodyLength?: number } = {}): Promise<string> {
  const key = { signingDomain: domain, selector: 's1', privateKey, ...options };
  const { signatures } = await dkimSign(raw, { ...key, signatureData: [key] });
  expect(signatures).toContain(`d=${domain}`);
  return signatures + raw;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const KEY = publicKey.replaceAll(/-----[A-Z ]+-----|\s/g, '');
