import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { DEMO_PASSWORD, signIn } from './steps.ts';
import { test } from './test.ts';

test('an owner sets data retention after a preview, and exports the workspace', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/settings/workspace');
  const retention = page.getByRole('region', { name: 'Data retention' });
  const review = retention.getByRole('button', { name: 'Review and save' });
  const dialog = page.getByRole('alertdialog', { name: 'Save data retention?' });

  await test.step('days out of their bounds are refused', async () => {
    await retention.getByLabel('Delete files after (days)').fill('7');
    await review.click();
    await expect(retention.getByRole('alert')).toHaveText('Enter a number from 30 to 3,650.');
    await retention.getByLabel('Delete files after (days)').fill('');
  });

  await test.step('the dialog shows the first night and asks for the name', async () => {
    await retention.getByLabel('Solved, closed and spam conversations').selectOption('Anonymize');
    await retention.getByLabel('Days after the last message').fill('3650');
    await review.click();
    await expect(dialog.getByLabel('The first night')).toContainText('Conversations anonymized');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Type the workspace name exactly as it is written');
    await dialog.getByLabel('Type Demo Growth to confirm').fill('Demo Growth');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Data retention saved')).toBeVisible();
    await expect(retention.getByText('Nothing is deleted before')).toBeVisible();
  });

  await test.step('the rule can be taken back', async () => {
    await retention.getByLabel('Solved, closed and spam conversations').selectOption('Keep');
    await review.click();
    await dialog.getByLabel('Type Demo Growth to confirm').fill('Demo Growth');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('an export needs the password, and can be downloaded when it is ready', async () => {
    const section = page.getByRole('region', { name: 'Export' });
    await section.getByLabel('Your password').fill(DEMO_PASSWORD);
    await section.getByRole('button', { name: 'Start export' }).click();
    const link = section.getByRole('link', { name: 'Download export' });
    await expect(link).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^Demo Growth [\d-]+ 1\.zip$/);
  });
});
