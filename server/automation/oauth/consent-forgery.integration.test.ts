import { describe, expect } from 'vitest';
import { deleteOldConsentForms } from '#server/automation/oauth/consent-form.ts';
import { db } from '#server/core/database/prisma.ts';
import { digest } from '#server/core/secrets.ts';
import { type ConsentResponse, formOf, REQUEST } from '#test/clients/consent-client.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { type Owner, test } from '#test/fixtures/platform-test.ts';

const query = { ...REQUEST, state: 'abc' };

describe('RFC 6749 §10.12: an attacker cannot approve in a teammate’s name', () => {
  test('by posting without the session', async ({ visitor, browser, owner }) => {
    const fields = formOf(await browser.open(query));
    await expectRefused(owner, await visitor.post(fields));
  });

  test.for(['cross-site', 'same-site', 'none', ''])(
    'by posting from another site: Sec-Fetch-Site %j',
    async (site, { browser, owner }) => {
      const fields = formOf(await browser.open(query));
      const headers = { 'sec-fetch-site': site, origin: 'http://inbox.test' };
      await expectRefused(owner, await browser.post(fields, headers));
    },
  );

  test.for([
    'https://attacker.test',
    'https://inbox.test',
    'http://inbox.test:8080',
    'http://x.inbox.test',
    'http://inbox.test.attacker.test',
    'https://platform.test',
  ])('by posting from %s in an older browser', async (origin, { browser, owner }) => {
    const fields = formOf(await browser.open(query));
    await expectRefused(owner, await browser.post(fields, { origin }));
  });

  test('by guessing: with a missing, empty or made-up form secret', async ({ browser, owner }) => {
    const { form: _, ...rest } = formOf(await browser.open(query));
    await expectRefused(owner, await browser.post(rest));
    await expectRefused(owner, await browser.post({ ...rest, form: '' }));
    await expectRefused(owner, await browser.post({ ...rest, form: 'A'.repeat(43) }));
  });

  test('with the attacker’s own form', async ({ browserOf, browser, owner }) => {
    const attacker = await makeUser('Mallory');
    await addMember((await makeWorkspace()).id, attacker.id, 'owner');
    const attackers = await browserOf(attacker);
    await expectRefused(owner, await browser.post(formOf(await attackers.open(query))));
  });

  test('with the open form of a colleague in the same workspace', async ({ browserOf, browser, owner }) => {
    const colleague = await makeUser('Colin Colleague');
    await addMember(owner.workspaceId, colleague.id, 'owner');
    const theirs = await browserOf(colleague);
    await expectRefused(owner, await theirs.post(formOf(await browser.open(query))));
    await expectRefused(owner, await browser.post(formOf(await theirs.open(query))));
  });

  const challenged = { ...query, code_challenge: 'b'.repeat(43), code_challenge_method: 'S256' };
  test.for([
    ['another state', query, { state: 'attackers' }],
    ['a removed state', query, { state: '' }],
    ['an added challenge', query, { code_challenge: 'a'.repeat(43) }],
    ['the attacker’s challenge', challenged, { code_challenge: 'a'.repeat(43) }],
    ['a weaker method', challenged, { code_challenge_method: 'plain' }],
    ['a removed challenge', challenged, { code_challenge: '' }],
  ] as const)('with the form of one request and %s', async ([_what, shown, changes], { browser, owner }) => {
    await expectRefused(owner, await browser.post({ ...formOf(await browser.open(shown)), ...changes }));
  });

  test('with a form opened more than an hour ago', async ({ browser, owner }) => {
    const fields = formOf(await browser.open(query));
    const row = { tokenHash: digest(fields.form ?? '') };
    const { expiresAt, createdAt } = await db().consentForm.findUniqueOrThrow({ where: row });
    expect(Number(expiresAt) - Number(createdAt)).toBe(3_600_000);
    await db().$executeRaw`update consent_forms set expires_at = now() where token_hash = ${row.tokenHash}`;
    await expectRefused(owner, await browser.post(fields));
    expect(await deleteOldConsentForms()).toBeGreaterThan(0);
    await expectRefused(owner, await browser.post(fields));
  });

  test('with a body that is not a form', async ({ service, browser, owner, cookie }) => {
    const fields = formOf(await browser.open(query));
    const response = await fetch(`${service.url}/oauth/authorize`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
    });
    expect(response.status).toBe(400);
    expect(await db().connection.count({ where: { workspaceId: owner.workspaceId } })).toBe(0);
  });
});

describe('a form is valid for one decision', () => {
  const connections = (owner: Owner) => db().connection.count({ where: { workspaceId: owner.workspaceId } });

  test('an attacker’s replay of an approval is refused', async ({ browser, owner }) => {
    const before = await connections(owner);
    const fields = formOf(await browser.open(query));
    expect((await browser.post(fields)).status).toBe(303);
    const replay = await browser.post(fields);
    expect(replay.status).toBe(403);
    expect(replay.page).toMatchObject({ kind: 'stale_form' });
    expect(await connections(owner)).toBe(before + 1);
  });

  test('a cancelled form cannot be approved afterwards', async ({ browser, owner }) => {
    const before = await connections(owner);
    const fields = formOf(await browser.open(query));
    const cancelled = await browser.post({ ...fields, decision: 'cancel' });
    expect(cancelled.location?.searchParams.get('error')).toBe('access_denied');
    expect((await browser.post(fields)).page).toMatchObject({ kind: 'stale_form' });
    expect(await connections(owner)).toBe(before);
  });

  test('an attacker cannot use up a form by cancelling from another site', async ({ visitor, browser }) => {
    const fields = formOf(await browser.open(query));
    await browser.post({ ...fields, decision: 'cancel' }, { 'sec-fetch-site': 'cross-site' });
    await visitor.post({ ...fields, decision: 'cancel' });
    expect((await browser.post(fields)).location?.searchParams.has('code')).toBe(true);
  });

  test('posted twenty times concurrently, it approves once', async ({ browser, owner }) => {
    const before = await connections(owner);
    const fields = formOf(await browser.open(query));
    const responses = await Promise.all(Array.from({ length: 20 }, () => browser.post(fields)));
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(19);
    expect(await connections(owner)).toBe(before + 1);
  });

  test('the refusal page links to the same request, which then works', async ({ browser }) => {
    const fields = formOf(await browser.open(query));
    const refused = await browser.post({ ...fields, form: 'stale' });
    const retryUrl = refused.page && 'retryUrl' in refused.page ? (refused.page.retryUrl ?? '') : '';
    expect(retryUrl).toMatch(/^\/oauth\/authorize\?/);
    const again = await browser.open(retryUrl.slice(retryUrl.indexOf('?') + 1));
    expect((await browser.post(formOf(again))).location?.searchParams.get('state')).toBe('abc');
  });
});

async function expectRefused(owner: Owner, response: ConsentResponse) {
  expect(response.status).toBe(403);
  expect(response.page).toMatchObject({ kind: 'stale_form' });
  expect(response.location).toBeNull();
  expect(await db().connection.count({ where: { workspaceId: owner.workspaceId } })).toBe(0);
  expect(await db().integration.count({ where: { workspaceId: owner.workspaceId } })).toBe(0);
}
