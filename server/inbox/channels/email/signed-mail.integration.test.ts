import { authenticate } from 'mailauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { parseSecretKeys } from '#server/core/seal.ts';
import { requireSecretsKey } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { sealKeysAgain } from '#server/inbox/channels/email/signing-keys.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';
import { startDnsServer } from '#test/servers/dns-server.ts';
import { startMailServer } from '#test/servers/mail-server.ts';

const KEY = 'a key that encrypts secrets in tests';
let service: TestService;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
beforeAll(async () => {
  [mail, dns] = await Promise.all([startMailServer(), startDnsServer()]);
  service = await startTestService({ SMTP_URL: mail.url, SECRETS_KEY: KEY, DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mail.stop(), dns.stop()]);
});

let teammates: Teammates;
let domain: { id: string; domain: string };
beforeEach(async () => {
  mail.received.length = 0;
  dns.answers.clear();
  teammates = await makeTeammates();
  domain = await db().emailDomain.findFirstOrThrow({ where: { workspaceId: teammates.workspaceId } });
});

const screensOf = async (role: 'owner' | 'admin' | 'agent' | 'viewer' = 'admin') =>
  (await (await signInTeammate(teammates[role]))()).channels;
const shown = async () => {
  const { domains } = await (await screensOf()).email();
  const found = domains.find(({ id }) => id === domain.id);
  if (!found) throw new Error('The domain is not shown.');
  return found;
};
/** Creates a key and publishes its DNS record in two strings, as its length requires. */
async function createKey() {
  await (await screensOf()).makeSigningKey({ domainId: domain.id });
  const { record } = await shown();
  if (!record) throw new Error('There is no record to add.');
  dns.answers.set(record.name, [[record.value.slice(0, 200), record.value.slice(200)]]);
  return record;
}
const check = async () => (await screensOf()).checkSigningKey({ domainId: domain.id });
/** Checks until the result is this sentence, or null when the record was found: a name server may respond too late. */
const untilChecked = (sentence: string | null) =>
  until(`the check says ${sentence}`, async () => {
    const said = await check();
    return sentence === null ? said === null : said?.includes(sentence);
  });

async function reply(): Promise<string> {
  const conversationId = await makeConversation({
    workspaceId: teammates.workspaceId,
    teammate: teammates.agent,
  });
  const actor = { kind: 'teammate' as const, teammate: teammates.agent };
  await sendReply({ workspaceId: teammates.workspaceId, id: conversationId, actor, content: 'Hello Ada' });
  const raw = mail.received.at(-1)?.raw;
  if (raw === undefined) throw new Error('No mail left.');
  return raw;
}
const verdict = async (raw: string) => {
  const { dkim } = await authenticate(Buffer.from(raw), {
    resolver: (name, kind) => dns.resolver.resolve(name, kind) as Promise<string[]>,
  });
  return dkim.results.map(({ status, signingDomain }) => ({ result: status.result, signingDomain }));
};

describe('mail from a domain', () => {
  test('is signed after the record of its key was found, and other mail servers can verify it', async () => {
    await createKey();
    expect(await reply()).not.toMatch(/^DKIM-Signature:/im);
    await untilChecked(null);
    expect(await shown()).toMatchObject({ checkedAt: expect.any(Date) });
    expect(await verdict(await reply())).toEqual([{ result: 'pass', signingDomain: domain.domain }]);
  });

  test('that an attacker changed in transit does not pass', async () => {
    await createKey();
    await untilChecked(null);
    const raw = await reply();
    expect(await verdict(raw.replaceAll('Hello', 'Hallo'))).toEqual([
      { result: expect.not.stringMatching('pass'), signingDomain: domain.domain },
    ]);
  });

  test('is unsigned until the record of a new key was found, and after the record was removed', async () => {
    const first = await createKey();
    await untilChecked(null);
    const second = await createKey();
    expect(second.name).not.toBe(first.name);
    expect(await reply()).not.toMatch(/^DKIM-Signature:/im);
    await untilChecked(null);
    expect(await reply()).toMatch(/^DKIM-Signature:/im);
    dns.answers.clear();
    await untilChecked('There is no TXT record at');
    expect(await shown()).toMatchObject({ checkedAt: null });
    expect(await reply()).not.toMatch(/^DKIM-Signature:/im);
  });
});

describe('the check of the DNS record', () => {
  test.each<[string, string[][] | 'silent', string]>([
    ['has another value', [['v=DKIM1; k=rsa; p=QUJD']], 'not with this value'],
    ['gets no DNS answer', 'silent', 'did not answer'],
  ])('reports a record that %s', async (_what, answer, sentence) => {
    const { name } = await createKey();
    dns.answers.set(name, answer);
    await untilChecked(sentence);
    expect(await shown()).toMatchObject({ checkedAt: null });
  });

  test('is refused without a key', async () => {
    await expect(check()).rejects.toMatchObject({ message: expect.stringContaining('has no key yet') });
  });
});

describe('the private key', () => {
  test('is encrypted in the database, and no screen shows it', async () => {
    await createKey();
    const row = await db().emailDomain.findUniqueOrThrow({ where: { id: domain.id } });
    expect(Buffer.from(row.dkimPrivateKey ?? []).toString('latin1')).not.toContain('PRIVATE KEY');
    expect(JSON.stringify(await (await screensOf()).email())).not.toContain('PRIVATE KEY');
  });

  test('is re-encrypted when SECRETS_KEY changes, and then no longer needs the old key', async () => {
    await createKey();
    await untilChecked(null);
    const NEW = 'another key that encrypts secrets now';
    const before = settings().SECRETS_KEY;
    try {
      Object.assign(settings(), { SECRETS_KEY: parseSecretKeys(`${NEW},${KEY}`) });
      expect(await sealKeysAgain()).toBeGreaterThan(0);
      expect(await sealKeysAgain()).toBe(0);
      Object.assign(settings(), { SECRETS_KEY: parseSecretKeys(NEW) });
      expect(await verdict(await reply())).toMatchObject([{ result: 'pass' }]);
      Object.assign(settings(), { SECRETS_KEY: undefined });
      await expect(requireSecretsKey()).rejects.toThrow('SECRETS_KEY is not set');
      // A key that cannot be decrypted does not stop mail.
      expect(await reply()).not.toMatch(/^DKIM-Signature:/im);
    } finally {
      Object.assign(settings(), { SECRETS_KEY: before });
    }
  });
});

test.each(['agent', 'viewer'] as const)(
  'role %s can neither see nor create keys and addresses',
  async (role) => {
    const channels = await screensOf(role);
    const given = { domainId: domain.id };
    const refusal = { message: 'Only owners and admins of the workspace can do this.' };
    await expect(channels.email()).rejects.toMatchObject(refusal);
    await expect(channels.makeSigningKey(given)).rejects.toMatchObject(refusal);
    await expect(channels.checkSigningKey(given)).rejects.toMatchObject(refusal);
    await expect(channels.connectPostedMail()).rejects.toMatchObject(refusal);
  },
);

test('an owner cannot create or check a key for another workspace’s domain', async () => {
  const given = { domainId: domain.id };
  teammates = await makeTeammates();
  const channels = await screensOf('owner');
  await expect(channels.makeSigningKey(given)).rejects.toMatchObject({
    message: 'The domain was not found.',
  });
  await expect(channels.checkSigningKey(given)).rejects.toMatchObject({
    message: 'The domain was not found.',
  });
});

test('a new address for posted mail shows its secret once and replaces the previous address', async () => {
  const channels = await screensOf();
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
