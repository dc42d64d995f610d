import { beforeAll, describe, expect, test } from 'vitest';
import { deleteOldConsentForms } from '#server/automation/oauth/consent-form.ts';
import { db } from '#server/core/database/prisma.ts';
import { digest } from '#server/core/secrets.ts';
import { type ConsentResponse, consentClient, formOf, REQUEST } from '#test/clients/consent-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let workspaceId: string;
let cookie: string;
let browser: ReturnType<typeof consentClient>;

beforeAll(async () => {
  workspaceId = (await makeWorkspace()).id;
  const victim = await makeUser('Victor Victim');
  await addMember(workspaceId, victim.id, 'owner');
  cookie = await signInAs(service.url, victim);
  browser = consentClient(service.url, cookie);
});

async function expectRefused(response: ConsentResponse) {
  expect(response.status).toBe(403);
  expect(response.page).toMatchObject({ kind: 'stale_form' });
  expect(response.location).toBeNull();
  expect(await db().connection.count({ where: { workspaceId } })).toBe(0);
  expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
}

const query = { ...REQUEST, state: 'abc' };

describe('RFC 6749 §10.12: an attacker cannot approve in a teammate’s name', () => {
  test('by posting without the session', async () => {
    const fields = formOf(await browser.open(query));
    await expectRefused(await consentClient(service.url).post(fields));
  });

  test.each(['cross-site', 'same-site', 'none', ''])(
    'by posting from another site: Sec-Fetch-Site %j',
    async (site) => {
      const fields = formOf(await browser.open(query));
      const headers = { 'sec-fetch-site': site, origin: 'http://inbox.test' };
      await expectRefused(await browser.post(fields, headers));
    },
  );

  test.each([
    'https://attacker.test',
    'https://inbox.test',
    'http://inbox.test:8080',
    'http://x.inbox.test',
    'http://inbox.test.attacker.test',
    'https://platform.test',
  ])('by posting from %s in an older browser', async (origin) => {
    const fields = formOf(await browser.open(query));
    await expectRefused(await browser.post(fields, { origin }));
  });

  test('by guessing: with a missing, empty or made-up form secret', async () => {
    const { form: _, ...rest } = formOf(await browser.open(query));
    await expectRefused(await browser.post(rest));
    await expectRefused(await browser.post({ ...rest, form: '' }));
    await expectRefused(await browser.post({ ...rest, form: 'A'.repeat(43) }));
  });

  test('with the attacker’s own form', async () => {
    const attacker = await makeUser('Mallory');
    await addMember((await makeWorkspace()).id, attacker.id, 'owner');
    const attackers = consentClient(service.url, await signInAs(service.url, attacker));
    await expectRefused(await browser.post(formOf(await attackers.open(query))));
  });

  test('with the open form of a colleague in the same workspace', async () => {
    const colleague = await makeUser('Colin Colleague');
    await addMember(workspaceId, colleague.id, 'owner');
    const theirs = consentClient(service.url, await signInAs(service.url, colleague));
    await expectRefused(await theirs.post(formOf(await browser.open(query))));
    await expectRefused(await browser.post(formOf(await theirs.open(query))));
  });

  const challenged = { ...query, code_challenge: 'b'.repeat(43), code_challenge_method: 'S256' };
  test.each([
    ['another state', query, { state: 'attackers' }],
    ['a removed state', query, { state: '' }],
    ['an added challenge', query, { code_challenge: 'a'.repeat(43) }],
    ['the attacker’s challenge', challenged, { code_challenge: 'a'.repeat(43) }],
    ['a weaker method', challenged, { code_challenge_method: 'plain' }],
    ['a removed challenge', challenged, { code_challenge: '' }],
  ])('with the form of one request and %s', async (_what, shown, changes) => {
    await expectRefused(await browser.post({ ...formOf(await browser.open(shown)), ...changes }));
  });

  test('with a form opened more than an hour ago', async () => {
    const fields = formOf(await browser.open(query));
    const row = { tokenHash: digest(fields.form ?? '') };
    const { expiresAt, createdAt } = await db().consentForm.findUniqueOrThrow({ where: row });
    expect(Number(expiresAt) - Number(createdAt)).toBe(3_600_000);
    await db().$executeRaw`update consent_forms set expires_at = now() where token_hash = ${row.tokenHash}`;
    await expectRefused(await browser.post(fields));
    expect(await deleteOldConsentForms()).toBeGreaterThan(0);
    await expectRefused(await browser.post(fields));
  });

  test('with a body that is not a form', async () => {
    const fields = formOf(await browser.open(query));
    const response = await fetch(`${service.url}/oauth/authorize`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
    });
    expect(response.status).toBe(400);
    expect(await db().connection.count({ where: { workspaceId } })).toBe(0);
  });
});

describe('a form is valid for one decision', () => {
  const connections = () => db().connection.count({ where: { workspaceId } });

  test('an attacker’s replay of an approval is refused', async () => {
    const before = await connections();
    const fields = formOf(await browser.open(query));
    expect((await browser.post(fields)).status).toBe(303);
    const replay = await browser.post(fields);
    expect(replay.status).toBe(403);
    expect(replay.page).toMatchObject({ kind: 'stale_form' });
    expect(await connections()).toBe(before + 1);
  });

  test('a cancelled form cannot be approved afterwards', async () => {
    const before = await connections();
    const fields = formOf(await browser.open(query));
    const cancelled = await browser.post({ ...fields, decision: 'cancel' });
    expect(cancelled.location?.searchParams.get('error')).toBe('access_denied');
    expect((await browser.post(fields)).page).toMatchObject({ kind: 'stale_form' });
    expect(await connections()).toBe(before);
  });

  test('an attacker cannot use up a form by cancelling from another site', async () => {
    const fields = formOf(await browser.open(query));
    await browser.post({ ...fields, decision: 'cancel' }, { 'sec-fetch-site': 'cross-site' });
    await consentClient(service.url).post({ ...fields, decision: 'cancel' });
    expect((await browser.post(fields)).location?.searchParams.has('code')).toBe(true);
  });

  test('posted twenty times concurrently, it approves once', async () => {
    const before = await connections();
    const fields = formOf(await browser.open(query));
    const responses = await Promise.all(Array.from({ length: 20 }, () => browser.post(fields)));
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(19);
    expect(await connections()).toBe(before + 1);
  });

  test('the refusal page links to the same request, which then works', async () => {
    const fields = formOf(await browser.open(query));
    const refused = await browser.post({ ...fields, form: 'stale' });
    const retryUrl = refused.page && 'retryUrl' in refused.page ? (refused.page.retryUrl ?? '') : '';
    expect(retryUrl).toMatch(/^\/oauth\/authorize\?/);
    const again = await browser.open(retryUrl.slice(retryUrl.indexOf('?') + 1));
    expect((await browser.post(formOf(again))).location?.searchParams.get('state')).toBe('abc');
  });
});
