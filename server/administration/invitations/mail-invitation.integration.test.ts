import { describe, expect } from 'vitest';
import { mailInvitation } from '#server/administration/invitations/mail-invitation.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { digest } from '#server/core/secrets.ts';
import { screensFor } from '#server/screens/router.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { test } from '#test/fixtures/invitation-test.ts';
import { tokenIn } from '#test/fixtures/mail-test.ts';
import { makeTeammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

describe('an invitation email', () => {
  test('names the inviter, the workspace and the expiry', async ({ inviteByMail }) => {
    const teammates = await makeTeammates({ name: 'Acme Ltd' });
    const { mail, id, token } = await inviteByMail(teammates, { role: 'admin' });
    expect(mail.email.subject).toBe('Olivia Owen invites you to Acme Ltd');
    expect(mail.email.from).toEqual({ name: 'Shared Inbox', address: 'no-reply@inbox.test' });
    const { text } = mail.email;
    expect(text).toContain(
      `Olivia Owen (${teammates.owner.email}) invites you to the workspace Acme Ltd in Shared Inbox, as an admin.`,
    );
    expect(text).toContain(`\nhttp://inbox.test/invitation?token=${token}\n`);
    expect(text).toMatch(/^The link can be used once, until \d+ \w+ 20\d\d at \d\d:\d\d UTC\.$/m);
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    const row = await db().invitation.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(row.tokenHash ?? [])).toEqual(Buffer.from(digest(token)));
  });

  test('is sent once and recorded as sent', async ({ mail, inviteByMail, teammates }) => {
    const { id, email } = await inviteByMail(teammates);
    await Promise.all([mailInvitation(id).catch(() => {}), mailInvitation(id).catch(() => {})]);
    // The email arrives before the job records it.
    const mailedAt = await until('the invitation is recorded as sent', async () => {
      const row = await db().invitation.findUniqueOrThrow({ where: { id } });
      return row.mailedAt ?? undefined;
    });
    await mailInvitation(id);
    expect(mail.sentTo(email)).toHaveLength(1);
    expect(await db().invitation.findUniqueOrThrow({ where: { id } })).toMatchObject({ mailedAt });
  });

  test('is retried when the mail server refuses it, and only the newest link works', async ({
    mail,
    inviteByMail,
    teammates,
  }) => {
    let refusals = 1;
    mail.respond(() => {
      if (refusals-- > 0) throw new Error('Not now.');
    });
    const { email, token } = await inviteByMail(teammates);
    await pool().query('update graphile_worker._private_jobs set run_at = now() where attempts > 0');
    const newest = tokenIn(await mail.waitFor(email, 2));
    expect(await show(token)).toEqual({
      kind: 'refused',
      message:
        'This link no longer works. A newer invitation may have replaced it. Ask the person who invited you for a new one.',
    });
    expect(await show(newest)).toMatchObject({ kind: 'open' });
  });

  test('is the only place that has the token: no table contains it, not even while the job waits', async ({
    inviteByMail,
    teammates,
  }) => {
    const { token } = await inviteByMail(teammates);
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
  });
});

/** Returns the page of a link as an anonymous visitor sees it. */
async function show(token: string) {
  const screens = await screensFor(new Headers({ [CLIENT_ADDRESS_HEADER]: newAddress() }));
  return screens.invitations.get({ token });
}
