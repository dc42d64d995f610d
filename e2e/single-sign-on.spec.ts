import { expect } from '@playwright/test';
import { startIdentityProvider } from '#test/servers/identity-provider.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { control } from './control-providers.ts';
import { goToConsent, signIn } from './steps.ts';
import { test } from './test.ts';

// A new domain, because the sign-in form of everyone in it changes.

test('an owner sets up single sign-on, and a teammate of the domain joins through the provider on the way to the consent page', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const domain = `sso-${Date.now()}.test`;
  const email = `sara@${domain}`;
  await signIn(page, 'owner@demo.test', '/settings/workspace/single-sign-on');
  const redirectUri = (await page.getByText(/\/sso\/callback\//).textContent()) ?? '';
  const provider = await startIdentityProvider([redirectUri]);
  try {
    await test.step('the owner enters the provider and verifies the domain', async () => {
      await page.getByLabel('Issuer URL').fill('https://10.0.0.1');
      await page.getByLabel('Client ID').fill(provider.clientId);
      await page.getByLabel('Client secret').fill(provider.clientSecret);
      await page.getByRole('button', { name: 'Save provider' }).click();
      await expect(page.getByText('This host is not in the public internet.')).toBeVisible();
      await page.getByLabel('Issuer URL').fill(provider.issuer);
      await page.getByRole('button', { name: 'Save provider' }).click();
      await expect(page.getByRole('heading', { name: 'Test sign-in' })).toBeVisible();

      const form = page.getByRole('form', { name: 'Add a domain' });
      await form.getByLabel('Add a domain').fill(domain);
      await form.getByRole('button', { name: 'Add domain' }).click();
      const item = page.getByRole('listitem', { name: domain });
      const value = (await item.getByText(/^inbox-verification=/).textContent()) ?? '';
      await control(page, 'POST', '/dns-records', {
        type: 'TXT',
        name: `_inbox-verification.${domain}`,
        value,
      });
      await expectAccessibleEverywhere(page);
      await item.getByRole('button', { name: 'Verify' }).click();
      await expect(item.getByText(/^Verified/)).toBeVisible();
    });

    await test.step('a test shows what is wrong, and must succeed before single sign-on is required', async () => {
      await expect(page.getByRole('switch', { name: 'Require single sign-on' })).toBeDisabled();
      provider.person = { sub: 'owner', email: 'owner@elsewhere.test', email_verified: true };
      await page.getByRole('link', { name: 'Test sign-in' }).click();
      await expect(page.getByText('The test failed. Your email address is not in a domain')).toBeVisible();
      provider.person = { sub: 'owner', email: `owner@${domain}`, email_verified: true };
      await page.getByRole('link', { name: 'Test sign-in' }).click();
      await expect(page.getByText('The test succeeded.')).toBeVisible();
      await page.getByRole('switch', { name: 'Require single sign-on' }).click();
      await expect(page.getByText('Single sign-on is required')).toBeVisible();
      await expectAccessibleEverywhere(page);
    });

    await page.goto('/settings/teammates');
    const form = page.getByRole('form', { name: 'Invite a teammate' });
    await form.getByLabel('Email').fill(email);
    await form.getByLabel('Role').selectOption({ label: 'Admin' });
    await form.getByRole('button', { name: 'Invite' }).click();
    await expect(page.getByText(email, { exact: true })).toBeVisible();

    const theirs = await openElsewhere();
    await test.step('the sign-in form leads people of the domain to the provider, which may refuse them', async () => {
      await goToConsent(theirs);
      await theirs.getByLabel('Email').fill(email);
      await theirs.getByLabel('Email').press('Tab');
      await expect(theirs.getByText(`${domain} uses single sign-on.`)).toBeVisible();
      await expect(theirs.getByLabel('Password')).toBeHidden();
      await expectAccessibleEverywhere(theirs);
      provider.person = null;
      await theirs.getByRole('button', { name: 'Continue with single sign-on' }).click();
      await expect(theirs.getByText('did not let you in, or you cancelled')).toBeVisible();
      await expectAccessibleEverywhere(theirs);
    });

    await test.step('the sign-in accepts the invitation, and continues to the consent page', async () => {
      provider.person = { sub: 'sara', email, email_verified: true, name: 'Sara Summers' };
      await theirs.getByRole('link', { name: 'Try again' }).click();
      await expect(theirs.getByText(`as Sara Summers, ${email}`)).toBeVisible();
      await theirs.goto('/inbox');
      await expect(theirs.getByRole('button', { name: /Demo Growth/ }).first()).toBeVisible();
    });

    await test.step('the owner removes the provider', async () => {
      await page.goto('/settings/workspace/single-sign-on');
      await page.getByRole('button', { name: 'Remove the provider' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
      await expect(page.getByText('Single sign-on removed')).toBeVisible();
    });
  } finally {
    await provider.stop();
  }
});
