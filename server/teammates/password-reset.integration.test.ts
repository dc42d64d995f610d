import { afterEach, describe, expect, vi } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { screensFor } from '#server/screens/router.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { newAddress, PASSWORD, signInAs, trySignIn } from '#test/clients/sign-in.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { later } from '#test/fixtures/later.ts';
import { test, tokenIn } from '#test/fixtures/mail-test.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { until } from '#test/fixtures/until.ts';
import type { ReceivedMail } from '#test/servers/mail-server.ts';

// The links are sent by a job.
test.beforeAll(({ worker: _ }) => undefined);

afterEach(() => {
  vi.useRealTimers();
});

describe('a teammate who forgot the password', () => {
  test('gets an email with a link to choose a new password', async ({ service, mail }) => {
    const { email, name } = await makeUser();
    await requestReset(` ${email.toUpperCase()} `);
    const sent = await mail.waitFor(email);
    expect(sent.email.subject).toBe('A new password for Shared Inbox');
    expect(sent.email.text).toContain(`Hello ${name},`);
    expect(sent.email.text).toMatch(/^http:\/\/inbox\.test\/reset-password\?token=\S{20,}$/m);
    expect(sent.email.text).toContain('The link can be used once, within an hour.');
    expect(sent.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    await reset(tokenIn(sent));
    expect(await signsIn(service.url, email, NEW_PASSWORD)).toBe(true);
    expect(await signsIn(service.url, email, PASSWORD)).toBe(false);
  });

  test('is signed out everywhere after the reset', async ({ service, mail }) => {
    const teammate = await makeUser();
    const cookies = [await signInAs(service.url, teammate), await signInAs(service.url, teammate)];
    await reset(await askForToken(mail, teammate.email));
    for (const cookie of cookies) expect(await findSignedIn(new Headers({ cookie }))).toBeNull();
  });

  test('who never had a password, because a provider signs them in, can sign in with the one they chose', async ({
    service,
    mail,
  }) => {
    const { id, email } = await makeUser();
    await db().account.deleteMany({ where: { userId: id } });
    await reset(await askForToken(mail, email));
    expect(await signsIn(service.url, email, NEW_PASSWORD)).toBe(true);
    await reset(await askForToken(mail, email, 2), `${NEW_PASSWORD} 2`);
    expect(await signsIn(service.url, email, `${NEW_PASSWORD} 2`)).toBe(true);
    expect(await signsIn(service.url, email, NEW_PASSWORD)).toBe(false);
  });

  test('can sign in with the browser that opened the link, even after many wrong guesses there', async ({
    service,
    mail,
  }) => {
    const { email } = await makeUser();
    const headers = { 'x-forwarded-for': newAddress() };
    for (let i = 0; i < 10; i += 1) await trySignIn(service.url, { email, password: 'a guess' }, headers);
    expect((await trySignIn(service.url, { email, password: PASSWORD }, headers)).status).toBe(429);
    const { setCookies } = await reset(await askForToken(mail, email));
    const cookie = setCookies.map((line) => line.split(';', 1)[0]).join('; ');
    const credentials = { email, password: NEW_PASSWORD };
    expect((await trySignIn(service.url, credentials, headers)).status).toBe(429);
    expect((await trySignIn(service.url, credentials, { ...headers, cookie })).status).toBe(200);
  });

  test('can retry after a password that is too short or too long', async ({ service, mail }) => {
    const { email } = await makeUser();
    const token = await askForToken(mail, email);
    await expect(reset(token, 'seven77')).rejects.toMatchObject({
      cause: { message: 'The password must have at least 8 characters.' },
    });
    await expect(reset(token, 'x'.repeat(129))).rejects.toMatchObject({
      cause: { message: 'The password must have at most 128 characters.' },
    });
    await reset(token);
    expect(await signsIn(service.url, email, NEW_PASSWORD)).toBe(true);
  });

  test('gets an email with a working link after the mail server refused the first one', async ({
    service,
    mail,
  }) => {
    const { email } = await makeUser();
    let refusals = 1;
    mail.respond(() => {
      if (refusals-- > 0) throw new Error('Not now.');
    });
    await requestReset(email);
    const refused = await mail.waitFor(email);
    await pool().query('update graphile_worker._private_jobs set run_at = now() where attempts > 0');
    const accepted = await mail.waitFor(email, 2);
    expect(tokenIn(accepted)).not.toBe(tokenIn(refused));
    await reset(tokenIn(accepted));
    expect(await signsIn(service.url, email, NEW_PASSWORD)).toBe(true);
  });
});

describe('the attacker with a link', () => {
  test('can use the link once, even with twenty simultaneous requests', async ({ service, mail }) => {
    const { email } = await makeUser();
    const token = await askForToken(mail, email);
    expect(await isValid(token)).toBe(true);
    const passwords = Array.from({ length: 20 }, (_, i) => `${NEW_PASSWORD} ${i}`);
    const outcomes = await Promise.allSettled(passwords.map((password) => resetInTurn(token, password)));
    const won = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [passwords[i] ?? ''] : []));
    expect(won).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(NOT_VALID);
    }
    expect(await signsIn(service.url, email, won[0] ?? '')).toBe(true);
    await expect(reset(token)).rejects.toMatchObject(NOT_VALID);
    for (const each of [token, 'unknown', '../token']) expect(await isValid(each)).toBe(false);
  });

  test('cannot use the link after an hour', async ({ service, mail }) => {
    const { email } = await makeUser();
    const token = await askForToken(mail, email);
    later(61 * 60);
    await expect(reset(token)).rejects.toMatchObject(NOT_VALID);
    vi.useRealTimers();
    expect(await signsIn(service.url, email, PASSWORD)).toBe(true);
  });

  test('cannot use an older link after the new password', async ({ service, mail }) => {
    const { email } = await makeUser();
    const first = await askForToken(mail, email);
    await reset(await askForToken(mail, email, 2));
    await expect(reset(first, 'the attacker’s password')).rejects.toMatchObject(NOT_VALID);
    expect(await signsIn(service.url, email, NEW_PASSWORD)).toBe(true);
  });

  test.each(['', 'a guess', 'reset-password:x', '\0'])('cannot guess the token %j', async (token) => {
    await expect(reset(token)).rejects.toMatchObject(NOT_VALID);
  });

  test('cannot read the token from the database, which only stores a digest and an id', async ({ mail }) => {
    const { email } = await makeUser();
    const token = await askForToken(mail, email);
    const { rows } = await pool().query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of rows) {
      const { rowCount } = await pool().query(`select from ${name} t where position($1 in t::text) > 0`, [
        token,
      ]);
      expect(rowCount, name).toBe(0);
    }
    expect(await db().verification.count()).toBeGreaterThan(0);
  });
});

describe('the attacker who looks for accounts', () => {
  test('gets the same response and the same work for an unknown address', async ({ mail }) => {
    const [known, unknown] = [await makeUser(), 'nobody@acme.test'];
    const gate = Promise.withResolvers<void>();
    mail.respond(() => gate.promise);
    expect(await requestReset(known.email)).toBeUndefined();
    await mail.waitFor(known.email);
    expect(await requestReset(unknown)).toBeUndefined();
    await until('the job for the unknown address waits behind the hanging one', async () => {
      const jobs = await queuedJobs();
      return jobs.filter(({ task }) => task === 'mail-password-reset').length === 2;
    });
    gate.resolve();
    await until('that job is finished', async () => (await queuedJobs()).length === 0);
    expect(mail.sentTo(unknown)).toEqual([]);
  });

  test('is refused after three requests for one account from one address, known or not', async () => {
    for (const email of [(await makeUser()).email, 'nobody.either@acme.test']) {
      const address = newAddress();
      for (let i = 0; i < 3; i += 1) await requestReset(email, address);
      await expect(requestReset(email, address)).rejects.toMatchObject(TOO_OFTEN);
      await expect(requestReset(email.toUpperCase(), address)).rejects.toMatchObject(TOO_OFTEN);
    }
  });

  test('is refused after twenty requests from one address', async () => {
    const address = newAddress();
    for (let i = 0; i < 20; i += 1) await requestReset(`nobody.${i}@acme.test`, address);
    await expect(requestReset('nobody.20@acme.test', address)).rejects.toMatchObject(TOO_OFTEN);
    await requestReset('nobody.20@acme.test');
  });

  test('finds no endpoint for resets in the sign-in API', async ({ service }) => {
    for (const path of ['/request-password-reset', '/reset-password', '/forget-password']) {
      const response = await fetch(`${service.url}/api/auth${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'http://inbox.test' },
        body: JSON.stringify({ email: 'a@b.test', token: 'x', newPassword: NEW_PASSWORD }),
      });
      expect(response.status).toBe(404);
    }
  });
});

describe('the attacker who requests links for somebody else', () => {
  test('cannot flood a mailbox from many addresses: at most three emails an hour, and always the same response', async ({
    mail,
  }) => {
    const { email } = await makeUser();
    const responses = await Promise.all(Array.from({ length: 12 }, () => requestReset(email)));
    expect(responses).toEqual(Array(12).fill(undefined));
    await allMailed();
    // Requests of the same millisecond are one.
    expect([1, 2, 3]).toContain(mail.sentTo(email).length);
  });

  test('cannot use up the requests of the owner, who still gets a link by requesting it in a known browser', async ({
    service,
    mail,
  }) => {
    const { email } = await makeUser();
    const cookie = await signInAs(service.url, { email });
    for (let i = 0; i < 4; i += 1) await requestReset(email);
    await allMailed();
    expect(mail.sentTo(email)).toHaveLength(3);
    await requestReset(email, undefined, cookie);
    await reset(tokenIn(await mail.waitFor(email, 4)));
    expect(await signsIn(service.url, email, NEW_PASSWORD)).toBe(true);
  });

  test('leaves a working link in the mailbox for the owner with a new browser', async ({ mail }) => {
    const { email } = await makeUser();
    for (let i = 0; i < 4; i += 1) await requestReset(email);
    await allMailed();
    const mailed = mail.sentTo(email).map(tokenIn);
    later(59 * 60);
    await requestReset(email);
    vi.useRealTimers();
    await allMailed();
    expect(mail.sentTo(email)).toHaveLength(3);
    later(59 * 60);
    await reset(mailed[2] ?? '');
    vi.useRealTimers();
    await requestReset(email);
    await mail.waitFor(email, 4);
  });

  test('gains nothing from the cookie of their own account', async ({ service, mail }) => {
    const [{ email }, own] = [await makeUser(), await makeUser()];
    const cookie = await signInAs(service.url, own);
    for (let i = 0; i < 5; i += 1) await requestReset(email, undefined, cookie);
    await allMailed();
    expect(mail.sentTo(email)).toHaveLength(3);
  });
});

const NEW_PASSWORD = 'another password for tests';
const NOT_VALID = {
  cause: { refusal: 'invalid', message: expect.stringContaining('This link is no longer valid') },
};

const TOO_OFTEN = {
  cause: { refusal: 'forbidden', message: expect.stringContaining('Too many password links') },
};

const visitor = (address = newAddress(), cookie = '') =>
  screensFor(new Headers({ [CLIENT_ADDRESS_HEADER]: address, cookie }));
const requestReset = async (email: string, address?: string, cookie?: string) =>
  (await visitor(address, cookie)).account.askForReset({ email });
const reset = async (token: string, newPassword = NEW_PASSWORD) =>
  (await visitor()).account.resetPassword({ token, newPassword });
const isValid = async (token: string) => (await visitor()).account.isResetLink({ token });
const signsIn = async (url: string, email: string, password: string) =>
  (await trySignIn(url, { email, password })).status === 200;

/** Resets, and retries after a 503: passwords are hashed one at a time, and a wait over ten seconds is refused. */
async function resetInTurn(token: string, newPassword: string) {
  for (;;) {
    const error = await reset(token, newPassword).then(
      () => undefined,
      (reason: { cause?: { statusCode?: number } }) => reason,
    );
    if (error === undefined) return;
    if (error.cause?.statusCode !== 503) throw error;
  }
}

/** Requests a link and returns its token from the email. */
async function askForToken(mail: Mail, email: string, count = 1): Promise<string> {
  await requestReset(email);
  return tokenIn(await mail.waitFor(email, count));
}

const allMailed = () =>
  until('no mail is left to send', async () => (await queuedJobs()).length === 0, 120_000);

type Mail = { waitFor: (address: string, number?: number) => Promise<ReceivedMail> };
