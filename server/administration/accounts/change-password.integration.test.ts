import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { PASSWORD, signInAs, trySignIn } from '#test/clients/sign-in.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

const test = serviceTest.extend('devices', ({ service }) => signInTwice(service.url));

describe('changing the password', () => {
  test('ends every other session of the teammate and keeps the current one', async ({
    service,
    devices: { laptop, phone, teammate },
  }) => {
    await (await laptop()).account.changePassword({ password: PASSWORD, newPassword: NEW_PASSWORD });
    expect(await (await phone()).session.current()).toBeNull();
    expect(await (await laptop()).session.current()).toMatchObject({ user: { id: teammate.id } });
    expect(await signsIn(service.url, teammate.email, PASSWORD)).toBe(false);
    expect(await signsIn(service.url, teammate.email, NEW_PASSWORD)).toBe(true);
  });

  test('an attacker at an unlocked laptop cannot change the password without the current one', async ({
    service,
    devices: { laptop, phone, teammate },
  }) => {
    const change = { password: 'a guess', newPassword: NEW_PASSWORD };
    await expect((await laptop()).account.changePassword(change)).rejects.toMatchObject(WRONG);
    expect(await (await phone()).session.current()).not.toBeNull();
    expect(await signsIn(service.url, teammate.email, PASSWORD)).toBe(true);
  });

  test('an attacker who sends forty guesses in parallel has ten of them checked', async ({
    devices: { laptop },
  }) => {
    const screens = await laptop();
    const guesses = Array.from({ length: 40 }, (_, i) =>
      screens.account.changePassword({ password: `a guess ${i}`, newPassword: NEW_PASSWORD }),
    );
    const outcomes = await Promise.allSettled(guesses);
    const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.message);
    expect(reasons.filter((reason) => String(reason).startsWith('Too many attempts'))).toHaveLength(30);
    // On a busy machine some guesses wait too long for the password queue, which refuses them with another sentence.
    expect(reasons).toContain('The password is incorrect. Check it and try again.');
  });

  test('an attacker who guesses at sign-in cannot lock the teammate out of changing the password', async ({
    service,
    devices: { teammate, phone, laptop },
  }) => {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        trySignIn(service.url, { email: teammate.email, password: 'a guess' }),
      ),
    );
    const screens = await phone();
    for (let i = 0; i < 11; i += 1) {
      const change = { password: `a guess ${i}`, newPassword: NEW_PASSWORD };
      await expect(screens.account.changePassword(change)).rejects.toThrow();
    }
    await (await laptop()).account.changePassword({ password: PASSWORD, newPassword: NEW_PASSWORD });
    expect(await signsIn(service.url, teammate.email, NEW_PASSWORD)).toBe(true);
  });

  test.for(['seven77', 'x'.repeat(129)])(
    'refuses the new password %s',
    async (newPassword, { devices: { laptop } }) => {
      await expect(
        (await laptop()).account.changePassword({ password: PASSWORD, newPassword }),
      ).rejects.toMatchObject({ cause: { errors: { newPassword: [expect.any(String)] } } });
    },
  );

  test('lets one of two simultaneous changes succeed', async ({ service, devices: { laptop, teammate } }) => {
    const screens = await laptop();
    const passwords = [`${NEW_PASSWORD} 1`, `${NEW_PASSWORD} 2`];
    const outcomes = await Promise.allSettled(
      passwords.map((newPassword) => screens.account.changePassword({ password: PASSWORD, newPassword })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const won = passwords[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    expect(await signsIn(service.url, teammate.email, won)).toBe(true);
  });

  test('refuses an anonymous visitor', async () => {
    const visitor = await screensFor(new Headers());
    await expect(
      visitor.account.changePassword({ password: PASSWORD, newPassword: NEW_PASSWORD }),
    ).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
  });
});

test('a teammate without a password, whom a provider signs in, learns how to set one', async () => {
  const user = await makeUser();
  const screens = await signInTeammate(user);
  await db().account.deleteMany({ where: { userId: user.id } });
  await expect(
    (await screens()).account.changePassword({ password: PASSWORD, newPassword: NEW_PASSWORD }),
  ).rejects.toMatchObject({
    cause: { errors: { password: [expect.stringMatching(/^You have no password yet\./)] } },
  });
});

describe('changing the name', () => {
  test('shows the new name in every session immediately', async ({
    devices: { laptop, phone, teammate },
  }) => {
    await (await laptop()).account.changeName({ name: '  Olivia Nguyễn ' });
    expect((await (await phone()).session.current())?.user.name).toBe('Olivia Nguyễn');
    expect(await (await laptop()).account.get()).toMatchObject({
      name: 'Olivia Nguyễn',
      email: teammate.email,
    });
  });

  test.for([
    ['', 'The name must not be empty.'],
    ['   ', 'The name must not be empty.'],
    ['x'.repeat(81), 'The name must be at most 80 characters.'],
    ['Olivia\nBcc: x', 'The name must be one line of plain text.'],
    ['a\0b', 'The name contains a character that cannot be stored. Remove it.'],
    ['\ud800', 'The name contains a character that cannot be stored. Remove it.'],
  ] as const)('refuses %j', async ([name, message], { devices: { laptop, teammate } }) => {
    await expect((await laptop()).account.changeName({ name })).rejects.toMatchObject({
      cause: { errors: { name: [message] } },
    });
    expect(await db().user.findUniqueOrThrow({ where: { id: teammate.id } })).toMatchObject({
      name: teammate.name,
    });
  });

  test('counts code points, not UTF-16 units', async ({ devices: { laptop } }) => {
    await (await laptop()).account.changeName({ name: '🦉'.repeat(80) });
    expect((await (await laptop()).account.get()).name).toBe('🦉'.repeat(80));
  });
});

/** Signs one teammate in on a laptop and on a phone. */
async function signInTwice(url: string) {
  const teammate = await makeUser();
  const [laptop, phone] = [await signInAs(url, teammate), await signInAs(url, teammate)];
  const screens = (cookie: string) => screensFor(new Headers({ cookie }));
  return { teammate, laptop: () => screens(laptop), phone: () => screens(phone) };
}

async function signsIn(url: string, email: string, password: string): Promise<boolean> {
  return (await trySignIn(url, { email, password })).status === 200;
}

const NEW_PASSWORD = 'another password for tests';
const WRONG = { cause: { refusal: 'invalid', errors: { password: [expect.any(String)] } } };
