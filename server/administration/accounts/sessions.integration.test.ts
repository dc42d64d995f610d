import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { addFailedSignIn } from '#server/teammates/add-failed-sign-in.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { newAddress, PASSWORD, trySignIn } from '#test/clients/sign-in.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates, sessionCookie, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const test = serviceTest
  .extend('team', () => makeTeammates())
  .extend('audit', ({ team }) => async () => {
    const { items } = await (await (await signInTeammate(team.owner))()).audit.list({ about: 'sign_in' });
    return items.map(({ sentence }) => sentence);
  });

describe('the list of sessions', () => {
  test('names browser, address and the last use, and marks the current session', async ({
    service,
    team,
  }) => {
    const address = newAddress();
    const { cookie } = await trySignIn(
      service.url,
      { email: team.agent.email, password: PASSWORD },
      { 'user-agent': CHROME, 'x-forwarded-for': address },
    );
    const here = await sessionCookie(team.agent.id);
    await sessionCookie(team.admin.id);
    const used = new Date(Date.now() - 3_600_000);
    await db().session.updateMany({ where: { userId: team.agent.id }, data: { lastUsedAt: used } });
    const sessions = await (await screensOf(here)).account.sessions();
    expect(sessions).toMatchObject([
      { isCurrent: true, device: 'an unknown browser' },
      { isCurrent: false, device: 'Chrome on Windows', lastUsedAt: used },
    ]);
    expect(sessions[0]?.lastUsedAt.getTime()).toBeGreaterThan(used.getTime());
    expect(sessions[1]?.address).toBeTruthy();
    expect(await findSignedIn(new Headers({ cookie }))).not.toBeNull();
  });
});

describe('ending sessions', () => {
  test('whoever stole a session cannot read, change, listen or download after the teammate ended it', async ({
    service,
    team,
    audit,
  }) => {
    const stolen = await sessionCookie(team.agent.id);
    const stream = await fetch(`${service.url}/live`, { headers: { cookie: stolen } });
    expect(stream.status).toBe(200);
    const own = await screensOf(await sessionCookie(team.agent.id));
    const other = (await own.account.sessions()).find(({ isCurrent }) => !isCurrent);
    await own.account.endSession({ id: other?.id ?? '' });
    await stream.text();
    const headers = { cookie: stolen, 'x-workspace-id': team.workspaceId };
    for (const path of ['/live', '/api/screens/session.current', `/attachments/${other?.id}`]) {
      const { status } = await fetch(`${service.url}${path}`, { headers, redirect: 'manual' });
      expect([303, 307, 401]).toContain(status);
    }
    await expect((await screensOf(stolen)).account.changeName({ name: 'Mallory' })).rejects.toThrow(
      'Sign in',
    );
    expect(await audit()).toEqual(['Aggie Agent ended their session in an unknown browser.']);
  });

  test('tells whoever saves a form of an open page to sign in again', async ({ team }) => {
    const ended = await sessionCookie(team.owner.id);
    const own = await screensOf(await sessionCookie(team.owner.id));
    await own.account.endOtherSessions();
    const { account, teams } = await screensOf(ended);
    const signedOut = 'You are signed out. Sign in in another tab, then try again here.';
    await expect(teams.create({ name: 'Sales' })).rejects.toThrow(signedOut);
    await expect(account.changeName({ name: 'Ada' })).rejects.toThrow(signedOut);
  });

  test('all others at once keeps only the current one', async ({ team, audit }) => {
    const [here, ...others] = await Promise.all([1, 2, 3].map(() => sessionCookie(team.agent.id)));
    const screens = await screensOf(here ?? '');
    expect(await screens.account.endOtherSessions()).toBe(2);
    expect(await screens.account.endOtherSessions()).toBe(0);
    expect(await screens.account.sessions()).toHaveLength(1);
    for (const cookie of others) expect(await findSignedIn(new Headers({ cookie }))).toBeNull();
    expect(await audit()).toEqual(['Aggie Agent ended all their other sessions.']);
  });

  test('a teammate cannot end a session of someone else, nor one that has ended', async ({ team }) => {
    await sessionCookie(team.owner.id);
    const { id } = await db().session.findFirstOrThrow({ where: { userId: team.owner.id } });
    const screens = await screensOf(await sessionCookie(team.agent.id));
    await expect(screens.account.endSession({ id })).rejects.toMatchObject({
      cause: { refusal: 'not_found' },
    });
    expect(await db().session.count({ where: { id } })).toBe(1);
  });
});

describe('the record of sign-ins', () => {
  test('a sign-in on a new device is in the audit log and told by email, the next one there is not', async ({
    service,
    team,
    audit,
  }) => {
    await makeOld(team);
    const credentials = { email: team.agent.email, password: PASSWORD };
    const { cookie } = await trySignIn(service.url, credentials, { 'user-agent': CHROME });
    await trySignIn(service.url, credentials, { 'user-agent': CHROME, cookie });
    expect(await audit()).toEqual([
      expect.stringMatching(/^Aggie Agent signed in with their password: Chrome on Windows, \S+\.$/),
      expect.stringMatching(
        /^Aggie Agent signed in on a new device with their password: Chrome on Windows, /,
      ),
    ]);
    expect((await mailed()).filter((id) => id === team.agent.id)).toHaveLength(1);
  });

  test('the first sign-ins to a new account are not told by email', async ({ service, team }) => {
    await trySignIn(service.url, { email: team.agent.email, password: PASSWORD });
    expect(await mailed()).not.toContain(team.agent.id);
  });

  test('guesses are in the log up to a limit, those at unknown accounts never, and both queue the same jobs', async ({
    service,
    team,
    audit,
  }) => {
    const guess = (email: string) => trySignIn(service.url, { email, password: 'a guess' });
    await Promise.all(Array.from({ length: 12 }, () => guess(team.agent.email)));
    await Promise.all(Array.from({ length: 12 }, () => guess(`nobody-${team.workspaceId}@acme.test`)));
    const jobs = (await queuedJobs()).flatMap((job) =>
      job.task === 'record-failed-sign-in' ? [job.payload] : [],
    );
    expect(jobs).toHaveLength(20);
    for (const job of jobs) await addFailedSignIn(job);
    const sentences = await audit();
    expect(sentences).toHaveLength(10);
    expect(sentences[0]).toMatch(/^A sign-in as Aggie Agent failed, because the password was wrong: /);
  });
});

const screensOf = (cookie: string) => screensFor(new Headers({ cookie }));

/** Makes the accounts older than a new account is. */
async function makeOld(team: Teammates): Promise<void> {
  await db().user.updateMany({
    where: { memberships: { some: { workspaceId: team.workspaceId } } },
    data: { createdAt: new Date(0) },
  });
}

/** Returns the teammates who are told about a new device. */
async function mailed(): Promise<string[]> {
  const jobs = await queuedJobs();
  return jobs.flatMap((job) => (job.task === 'mail-new-device' ? [job.payload.userId] : []));
}
