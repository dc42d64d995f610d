import { describe, expect } from 'vitest';
import { askForReset, issueResetToken } from '#server/administration/accounts/reset-password.ts';
import { db } from '#server/core/database/prisma.ts';
import { screensFor, screensRouter } from '#server/screens/router.ts';
import { signIn } from '#server/teammates/sign-in.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { consentClient } from '#test/clients/consent-client.ts';
import { PASSWORD, signInAs, trySignIn } from '#test/clients/sign-in.ts';
import { enterCode, turnOnSecondFactor } from '#test/fixtures/second-factors.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates, sessionCookie, signInTeammate } from '#test/fixtures/teammates.ts';

const test = serviceTest
  .extend('team', () => makeTeammates())
  .extend('factor', ({ team }) => turnOnSecondFactor(team.agent))
  /** Returns the sentences of the audit log about sign-ins, the newest first. */
  .extend('signIns', ({ team }) => async () => {
    const { items } = await (await (await signInTeammate(team.owner))()).audit.list({ about: 'sign_in' });
    return items.filter(({ kind }) => kind.startsWith('signed_in')).map(({ sentence }) => sentence);
  });

type Person = { id: string; email: string };

/** Ways in which a session is created. Magic links, emailed codes and single sign-on of Better Auth create it as the last one does. */
const WAYS: Record<string, (url: string, user: Person) => Promise<string>> = {
  'the password at the API': signInAs,
  'the sign-in form': async (_url, { email }) => {
    const outcome = await signIn(new Headers(), { email, password: PASSWORD });
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    return outcome.setCookies.map((line) => line.split(';', 1)[0]).join('; ');
  },
  'a new password by email': async (url, { id, email }) => {
    const token = await issueResetToken(id);
    const newPassword = 'another password for tests';
    await (await screensFor(new Headers())).account.resetPassword({ token, newPassword });
    return (await trySignIn(url, { email, password: newPassword })).cookie;
  },
  'any other way that creates one': (_url, { id }) => sessionCookie(id),
};

const PROCEDURES = Object.keys(screensRouter._def.procedures);

describe('the attacker who knows the password but has no second factor', () => {
  test.for(Object.entries(WAYS))('is not signed in by %s', async ([, way], { service, team, factor }) => {
    const cookie = await way(service.url, team.agent);
    expect(await findSignedIn(new Headers({ cookie }))).toBeNull();
    const screens = await screensFor(new Headers({ cookie }));
    expect(await screens.session.current()).toBeNull();
    expect(await screens.session.secondStep()).toEqual({
      email: team.agent.email,
      hasApp: true,
      hasPasskeys: false,
    });
    const headers = { cookie, 'x-workspace-id': team.workspaceId };
    const get = async (path: string) =>
      (await fetch(`${service.url}${path}`, { headers, redirect: 'manual' })).status;
    for (const path of ['/live', '/settings/audit-log.csv', '/attachments/1', '/mails/1']) {
      expect([302, 303, 307, 401, 403], path).toContain(await get(path));
    }
    const { status } = await fetch(`${service.url}/attachments/`, { method: 'POST', headers });
    expect(status).toBe(401);
    expect(await (await fetch(`${service.url}/api/auth/get-session`, { headers })).json()).toBeNull();
    const consent = await consentClient(service.url, cookie).open();
    expect(consent.location?.pathname).toBe('/sign-in');

    const full = await enterCode(cookie, await factor.nextCode());
    expect(await findSignedIn(new Headers({ cookie: full }))).toMatchObject({ user: { id: team.agent.id } });
    // A cookie that was copied before the second step stays worthless.
    expect(await findSignedIn(new Headers({ cookie }))).toBeNull();
  });

  test('cannot call any procedure of the screens', async ({ service, team, factor }) => {
    const headers = {
      cookie: await signInAs(service.url, team.agent),
      'x-workspace-id': team.workspaceId,
      'content-type': 'application/json',
    };
    expect(PROCEDURES.length).toBeGreaterThan(100);
    for (const procedure of PROCEDURES) {
      for (const init of [{ headers }, { headers, method: 'POST', body: '{}' }]) {
        const { status } = await fetch(`${service.url}/api/screens/${procedure}`, init);
        expect(status, procedure).toBe(401);
      }
    }
    expect(factor.recoveryCodes).toHaveLength(10);
  });

  test('gets five guesses in 15 minutes, in parallel and with further sign-ins too', async ({
    service,
    team,
    factor,
  }) => {
    const cookies = await Promise.all([1, 2].map(() => signInAs(service.url, team.agent)));
    const guesses = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => enterCode(cookies[n % 2] ?? '', 'aaaa-aaaa-aaaa-aaaa')),
    );
    const reasons = guesses.map((guess) => String(guess.status === 'rejected' && guess.reason.message));
    expect(reasons.filter((reason) => reason.startsWith('Too many incorrect codes'))).toHaveLength(7);
    await expect(enterCode(cookies[0] ?? '', await factor.nextCode())).rejects.toThrow('Too many');
    const { audit } = await (await signInTeammate(team.owner))();
    const failures = (await audit.list({ about: 'sign_in' })).items.filter(
      ({ kind }) => kind === 'second_factor_failed',
    );
    expect(failures).toHaveLength(5);
    expect(failures[0]?.sentence).toMatch(/^The second step of a sign-in as Aggie Agent failed: /);
  });

  test('who saw a code cannot use it again, nor an earlier one, even at the same time', async ({
    service,
    team,
    factor,
  }) => {
    const cookies = await Promise.all([1, 2, 3].map(() => signInAs(service.url, team.agent)));
    const code = await factor.nextCode();
    const outcomes = await Promise.allSettled(cookies.map((cookie) => enterCode(cookie, code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const waiting = cookies[outcomes.findIndex(({ status }) => status === 'rejected')] ?? '';
    await expect(enterCode(waiting, code)).rejects.toThrow();
  });

  test('is not let in when the teammate turns the second factor off', async ({ service, team, factor }) => {
    const waiting = await signInAs(service.url, team.agent);
    const { account } = await screensFor(new Headers({ cookie: factor.cookie }));
    await expect(account.disableSecondFactor({ password: 'a guess' })).rejects.toThrow('incorrect');
    await account.disableSecondFactor({ password: PASSWORD });
    expect(await findSignedIn(new Headers({ cookie: waiting }))).toBeNull();
    expect(await findSignedIn(new Headers({ cookie: factor.cookie }))).not.toBeNull();
  });
});

describe('a recovery code', () => {
  test('works once, and the others stay', async ({ service, team, factor }) => {
    const [code = '', other = ''] = factor.recoveryCodes;
    const cookies = await Promise.all([1, 2].map(() => signInAs(service.url, team.agent)));
    const outcomes = await Promise.allSettled(
      cookies.map((cookie) => enterCode(cookie, code.toUpperCase().replaceAll('-', ' '))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { account } = await screensFor(new Headers({ cookie: factor.cookie }));
    expect(await account.secondFactor()).toMatchObject({ recoveryCodesLeft: 9 });
    const renewed = await account.renewRecoveryCodes({ password: PASSWORD });
    const waiting = await signInAs(service.url, team.agent);
    await expect(enterCode(waiting, other)).rejects.toThrow('incorrect');
    await enterCode(waiting, renewed[0] ?? '');
  });

  test('and the secret cannot be read from the database', async ({ team, factor }) => {
    const [row, code] = await Promise.all([
      db().secondFactor.findUniqueOrThrow({ where: { userId: team.agent.id } }),
      db().recoveryCode.findFirstOrThrow({ where: { userId: team.agent.id } }),
    ]);
    expect(Buffer.from(row.secret).toString('latin1')).not.toMatch(/[A-Z2-7]{32}/);
    expect(code.codeHash).toHaveLength(32);
    expect(factor.recoveryCodes).toHaveLength(10);
  });
});

describe('a trusted browser', () => {
  test('is not asked again, until the password changes', async ({ service, team, factor }) => {
    const cookie = await signInAs(service.url, team.agent);
    const trusted = await enterCode(cookie, await factor.nextCode(), true);
    const again = async (user: Person, password = PASSWORD) => {
      const signedIn = await trySignIn(service.url, { email: user.email, password }, { cookie: trusted });
      return findSignedIn(new Headers({ cookie: signedIn.cookie }));
    };
    expect(await again(team.agent)).toMatchObject({ user: { id: team.agent.id } });
    // The trust is for one account.
    await turnOnSecondFactor(team.admin);
    expect(await again(team.admin)).toBeNull();
    const { account } = await screensFor(new Headers({ cookie: factor.cookie }));
    const newPassword = 'another password for tests';
    await account.changePassword({ password: PASSWORD, newPassword });
    expect(await again(team.agent, newPassword)).toBeNull();
  });
});

describe('a browser that was lost', () => {
  const WAYS_OUT = {
    'signing it out': async ({ account }) => {
      const lost = (await account.sessions()).find(({ isCurrent }) => !isCurrent);
      await account.endSession({ id: lost?.id ?? '' });
    },
    'signing out everywhere else': ({ account }) => account.endOtherSessions(),
    'new recovery codes': ({ account }) => account.renewRecoveryCodes({ password: PASSWORD }),
  } satisfies Record<string, (screens: Awaited<ReturnType<typeof screensFor>>) => Promise<unknown>>;

  test.for(Object.entries(WAYS_OUT))(
    'is not trusted any more after %s, whoever knows the password',
    async ([, end], { service, team, factor, signIns }) => {
      const lost = await enterCode(await signInAs(service.url, team.agent), await factor.nextCode(), true);
      const again = async () => {
        const credentials = { email: team.agent.email, password: PASSWORD };
        const { cookie } = await trySignIn(service.url, credentials, { cookie: lost });
        return findSignedIn(new Headers({ cookie }));
      };
      expect(await again()).not.toBeNull();
      expect((await signIns())[0]).toContain('with their password in a trusted browser: ');
      await end(await screensFor(new Headers({ cookie: factor.cookie })));
      expect(await again()).toBeNull();
      expect((await signIns())[0]).toContain('with their password, the first of two steps: ');
      // It can be trusted again.
      const cookie = (await trySignIn(service.url, { email: team.agent.email, password: PASSWORD })).cookie;
      const trusted = await enterCode(cookie, await factor.nextCode(), true);
      const { cookie: next } = await trySignIn(
        service.url,
        { email: team.agent.email, password: PASSWORD },
        { cookie: trusted },
      );
      expect(await findSignedIn(new Headers({ cookie: next }))).not.toBeNull();
    },
  );
});

test('sessions that exist stay valid until the teammate turns the second factor on elsewhere', async ({
  team,
}) => {
  const phone = await sessionCookie(team.viewer.id);
  expect(await findSignedIn(new Headers({ cookie: phone }))).not.toBeNull();
  const { cookie } = await turnOnSecondFactor(team.viewer);
  expect(await findSignedIn(new Headers({ cookie: phone }))).toBeNull();
  expect(await findSignedIn(new Headers({ cookie }))).not.toBeNull();
});

test('a request for a new password does not touch the second factor', async ({ team, factor }) => {
  await askForReset({ email: team.agent.email, headers: new Headers() });
  expect(await db().secondFactor.count({ where: { userId: team.agent.id } })).toBe(1);
  expect(factor.recoveryCodes).toHaveLength(10);
});
