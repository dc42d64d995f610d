import { expect } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { joinDemo } from './join.ts';
import { listMailsTo } from './mails.ts';
import { fillInSignIn } from './steps.ts';
import { test } from './test.ts';
import { addAuthenticator, addPasskey } from './virtual-authenticator.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

// Until it ends, the requirement closes Demo Growth to the demo accounts.

test('an owner requires a second factor from a date, and resets that of a teammate who lost it', async ({
  page,
  openElsewhere,
}) => {
  const [owner, theirs] = [await openElsewhere(), await openElsewhere()];
  await joinDemo(page, owner, { name: 'Olga Olsen', role: 'Owner' });
  const email = await joinDemo(page, theirs, { name: 'Theo Thorne' });
  const removeAuthenticators = [await addAuthenticator(owner), await addAuthenticator(theirs)];
  const rule = owner.getByRole('region', { name: 'Two-factor authentication' });
  const stop = rule.getByRole('button', { name: 'Stop requiring' });
  const setUp = theirs.getByRole('link', { name: 'Set up two-factor' });
  const requireIn = async (days: number) => {
    const day = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
    await rule.getByLabel('Required from').fill(day);
    await rule.getByRole('button', { name: 'Require two-factor' }).click();
  };

  try {
    await test.step('the owner needs one first', async () => {
      await owner.goto('/settings/workspace');
      await requireIn(7);
      await expect(
        rule.getByText('Turn on two-factor authentication for your own account first'),
      ).toBeVisible();
      await owner.goto('/settings/account');
      await addPasskey(owner, 'Laptop');
      await owner.getByRole('button', { name: 'I have stored them' }).click();
      await owner.goto('/settings/workspace');
    });

    await test.step('a teammate without one is reminded before the date', async () => {
      await requireIn(7);
      await expect(stop).toBeVisible();
      await theirs.reload();
      const reminder = theirs.getByRole('complementary', { name: 'Two-factor authentication' });
      await expect(reminder).toContainText('Demo Growth requires two-factor authentication from');
      await stop.click();
    });

    await test.step('and has to set one up from the date', async () => {
      await requireIn(0);
      await expect(stop).toBeVisible();
      await theirs.goto('/inbox');
      await expect(setUp).toBeVisible();
      await expectAccessibleEverywhere(theirs);
      await setUp.click();
      await addPasskey(theirs, 'Phone');
      await theirs.getByRole('button', { name: 'I have stored them' }).click();
      await theirs.goto('/inbox');
      await expect(theirs.getByRole('heading', { name: 'Inbox' })).toBeVisible();
    });

    await test.step('the owner resets it: the teammate is signed out, told by email, and has no passkey or codes', async () => {
      await owner.goto('/settings/teammates');
      const row = owner.getByRole('listitem', { name: 'Theo Thorne' });
      await row.getByRole('button', { name: 'Reset two-factor' }).click();
      await expectAccessibleEverywhere(owner);
      await owner.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
      await expect(owner.getByText('Theo Thorne can sign in with their password only')).toBeVisible();
      await expect(row.getByText('Two-factor', { exact: true })).toBeHidden();
      await theirs.goto('/inbox');
      await theirs.waitForURL('**/sign-in?**');
      await theirs.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await expect(theirs.getByText('This passkey can’t be used')).toBeVisible();
      await fillInSignIn(theirs, email);
      await setUp.click();
      await expect(theirs.getByRole('button', { name: 'Set up' })).toBeVisible();
      await expect(theirs.getByRole('list', { name: 'Passkeys' })).toBeHidden();
      await expect
        .poll(async () => (await listMailsTo(email)).map(({ subject }) => subject))
        .toContain('Your second factor was reset');
    });
  } finally {
    await owner.goto('/settings/workspace');
    await stop.click();
    await expect(rule.getByLabel('Required from')).toBeVisible();
    // Other flows name the owners of Demo Growth.
    await owner.goto('/settings/teammates');
    await owner.getByRole('button', { name: 'Leave' }).click();
    await owner.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await owner.waitForURL('**/no-workspace');
  }
  for (const remove of removeAuthenticators) await remove();
});
