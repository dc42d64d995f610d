import { expect } from '@playwright/test';
import { openSession } from './steps.ts';
import { test } from './test.ts';

// The installed app without a connection. `outages.spec.ts` is about open pages, which stay.

test('without a connection the installed app says so, and opens the page when the connection is back', async ({
  phone,
}) => {
  await openSession(phone, 'owner@demo.test');
  await phone.goto('/settings/account');
  await phone.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js', { scope: '/' });
  });
  await phone.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const heading = phone.getByRole('heading', { name: 'No connection' });
  await phone.context().setOffline(true);
  await phone.goto('/contacts');
  await expect(heading).toBeVisible();
  await phone.getByRole('button', { name: 'Try again' }).click();
  await expect(heading).toBeVisible();
  await phone.context().setOffline(false);
  await expect(phone.getByRole('heading', { name: 'Contacts' })).toBeVisible();
  await expect(phone).toHaveURL(/\/contacts$/);
});
