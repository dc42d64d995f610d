import { expect } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { startConversation } from './start-conversation.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('“Why?” tells two teammates what happened with a message, from who wrote it to how it was sent', async ({
  page,
  openElsewhere,
}) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  await startConversation(page, `why.${Date.now()}@example.com`, `Why ${Date.now()}`);
  await expect(page.getByText('Sent', { exact: true })).toBeVisible();
  await page.getByRole('heading', { level: 2 }).first().click();
  await page.keyboard.press('w');
  const dialog = page.getByRole('dialog', { name: 'What happened with this message' });
  const steps = dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await expect(steps.first()).toContainText('Written by Olivia Owen, to be sent by email.');
  await expect(dialog).toContainText('The channel accepted it, and reported no failure since.');
  await expectAccessibleEverywhere(page);

  const viewer = await openElsewhere();
  await signIn(viewer, 'viewer@demo.test', page.url());
  await viewer.getByRole('button', { name: 'Why? What happened with Olivia Owen’s message' }).click();
  await expect(viewer.getByRole('dialog')).toContainText('Written by Olivia Owen');

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
