import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { parseSecretKeys } from '#server/core/seal.ts';
import { requireSecretsKey } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { reencryptSigningKeys } from '#server/inbox/channels/email/signing-keys.ts';
import { test as baseTest } from '#test/fixtures/signed-mail-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

const KEY = 'a key that encrypts secrets in tests';
const test = baseTest.extend('settings', { scope: 'file' }, () => ({ SECRETS_KEY: KEY }));

describe('mail from a domain', () => {
  test('is signed after the record of its key was found, and other mail servers can verify it', async ({
    domain,
    signing,
  }) => {
    await signing.createKey();
    expect(await signing.reply()).not.toMatch(/^DKIM-Signature:/im);
    await signing.untilChecked(null);
    expect(await signing.shown()).toMatchObject({ checkedAt: expect.any(Date) });
    expect(await signing.verdict(await signing.reply())).toEqual([
      { result: 'pass', signingDomain: domain.domain },
    ]);
  });

  test('that an attacker changed in transit does not pass', async ({ domain, signing }) => {
    await signing.createKey();
    await signing.untilChecked(null);
    const raw = await signing.reply();
    expect(await signing.verdict(raw.replaceAll('Hello', 'Hallo'))).toEqual([
      { result: expect.not.stringMatching('pass'), signingDomain: domain.domain },
    ]);
  });

  test('is unsigned until the record of a new key was found, and after the record was removed', async ({
    dns,
    signing,
  }) => {
    const first = await signing.createKey();
    await signing.untilChecked(null);
    const second = await signing.createKey();
    expect(second.name).not.toBe(first.name);
    expect(await signing.reply()).not.toMatch(/^DKIM-Signature:/im);
    await signing.untilChecked(null);
    expect(await signing.reply()).toMatch(/^DKIM-Signature:/im);
    dns.answers.clear();
    await signing.untilChecked('There is no TXT record at');
    expect(await signing.shown()).toMatchObject({ checkedAt: null });
    expect(await signing.reply()).not.toMatch(/^DKIM-Signature:/im);
  });
});

describe('the check of the DNS record', () => {
  test.for<[string, string[][] | 'silent', string]>([
    ['has another value', [['v=DKIM1; k=rsa; p=QUJD']], 'not with this value'],
    ['gets no DNS answer', 'silent', 'did not answer'],
  ])('reports a record that %s', async ([_what, answer, sentence], { dns, signing }) => {
    const { name } = await signing.createKey();
    dns.answers.set(name, answer);
    await signing.untilChecked(sentence);
    expect(await signing.shown()).toMatchObject({ checkedAt: null });
  });

  test('is refused without a key', async ({ signing }) => {
    await expect(signing.check()).rejects.toMatchObject({
      message: expect.stringContaining('has no key yet'),
    });
  });
});

describe('the private key', () => {
  test('is encrypted in the database, and no screen shows it', async ({
    domain,
    channelScreensOf,
    signing,
  }) => {
    await signing.createKey();
    const row = await db().emailDomain.findUniqueOrThrow({ where: { id: domain.id } });
    expect(Buffer.from(row.dkimPrivateKey ?? []).toString('latin1')).not.toContain('PRIVATE KEY');
    expect(JSON.stringify(await (await channelScreensOf('admin')).email())).not.toContain('PRIVATE KEY');
  });

  test('is re-encrypted when SECRETS_KEY changes, and then no longer needs the old key', async ({
    signing,
  }) => {
    await signing.createKey();
    await signing.untilChecked(null);
    const NEW = 'another key that encrypts secrets now';
    const before = settings().SECRETS_KEY;
    try {
      Object.assign(settings(), { SECRETS_KEY: parseSecretKeys(`${NEW},${KEY}`) });
      expect(await reencryptSigningKeys()).toBeGreaterThan(0);
      expect(await reencryptSigningKeys()).toBe(0);
      Object.assign(settings(), { SECRETS_KEY: parseSecretKeys(NEW) });
      expect(await signing.verdict(await signing.reply())).toMatchObject([{ result: 'pass' }]);
      Object.assign(settings(), { SECRETS_KEY: undefined });
      await expect(requireSecretsKey()).rejects.toThrow('SECRETS_KEY is not set');
      // A key that cannot be decrypted does not stop mail.
      expect(await signing.reply()).not.toMatch(/^DKIM-Signature:/im);
    } finally {
      Object.assign(settings(), { SECRETS_KEY: before });
    }
  });
});

test('a private key that cannot be read does not stop the re-encryption of others', async ({
  domain,
  teammates: { workspaceId },
  signing,
}) => {
  const damaged = await db().emailDomain.create({
    data: {
      workspaceId,
      domain: `damaged-${domain.domain}`,
      verificationToken: domain.domain,
      dkimSelector: 'inbox-damaged',
      dkimPrivateKey: Buffer.from('damaged'),
      dkimPublicKey: 'damaged',
    },
  });
  await signing.createKey();
  const { SECRETS_KEY } = settings();
  const keyOf = () => db().emailDomain.findUniqueOrThrow({ where: { id: domain.id } });
  const before = await keyOf();
  try {
    Object.assign(settings(), { SECRETS_KEY: parseSecretKeys(`a third key that encrypts secrets,${KEY}`) });
    await expect(reencryptSigningKeys()).rejects.toThrow(
      'could not be encrypted with the first key of SECRETS_KEY',
    );
    expect((await keyOf()).dkimPrivateKey).not.toEqual(before.dkimPrivateKey);
  } finally {
    Object.assign(settings(), { SECRETS_KEY });
    await db().emailDomain.delete({ where: { id: damaged.id } });
  }
});

test.for(['agent', 'viewer'] as const)(
  'role %s can neither see nor create keys and addresses',
  async (role, { domain, channelScreensOf }) => {
    const channels = await channelScreensOf(role);
    const input = { domainId: domain.id };
    const refusal = { message: 'Only owners and admins of the workspace can do this.' };
    await expect(channels.email()).rejects.toMatchObject(refusal);
    await expect(channels.mailRoutes()).rejects.toMatchObject(refusal);
    await expect(channels.makeSigningKey(input)).rejects.toMatchObject(refusal);
    await expect(channels.checkSigningKey(input)).rejects.toMatchObject(refusal);
    await expect(channels.connectPostedMail()).rejects.toMatchObject(refusal);
  },
);

test('an owner cannot create or check a key for another workspace’s domain', async ({ domain }) => {
  const input = { domainId: domain.id };
  const abroad = await makeTeammates();
  const { channels } = await (await signInTeammate(abroad.owner))();
  await expect(channels.makeSigningKey(input)).rejects.toMatchObject({
    message: 'The domain was not found.',
  });
  await expect(channels.checkSigningKey(input)).rejects.toMatchObject({
    message: 'The domain was not found.',
  });
});

test('a new address for posted mail shows its secret once and replaces the previous address', async ({
  service,
  channelScreensOf,
}) => {
  const channels = await channelScreensOf('admin');
  expect((await channels.email()).postedMail).toBeNull();
  const first = await channels.connectPostedMail();
  const second = await channels.connectPostedMail();
  const { postedMail } = await channels.email();
  expect(postedMail).toEqual({ address: second.address, madeAt: expect.any(Date), lastReceivedAt: null });
  expect(JSON.stringify(postedMail)).not.toContain(second.signingSecret);
  const statusOf = async (address: string) =>
    (await fetch(new URL(new URL(address).pathname, service.url), { method: 'POST', body: 'x' })).status;
  expect(await statusOf(first.address)).toBe(404);
  expect(await statusOf(second.address)).not.toBe(404);
});
