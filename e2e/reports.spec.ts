import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { box, button, openOf, startConversation } from './composer.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('an agent answers and solves a conversation, and an admin sees it in the report and opens it from there', async ({
  page,
  openElsewhere,
}) => {
  const { id, connection } = await startConversation(page);
  const tag = `report-${Date.now()}`;
  await connection.run('add-tags', { conversation_id: id, tags: tag });
  const report = `/reports?range=7d&of=tag:${tag}`;

  await signIn(page, 'admin@demo.test', report);
  const figure = (name: string) =>
    page
      .getByRole('definition')
      .filter({ has: page.getByRole('link') })
      .nth(FIGURES.indexOf(name));
  await expect(figure('New conversations')).toHaveText('1');
  await expect(figure('Resolved')).toHaveText('0');

  const agent = await openOf(openElsewhere, 'agent@demo.test', `/inbox?selected=${id}`);
  await box(agent, 'Reply').fill('It arrives tomorrow.');
  await button(agent, 'Send and solve').click();
  await expect(async () => {
    await page.reload();
    await expect(figure('Resolved')).toHaveText('1', { timeout: 1_000 });
  }).toPass();
  await expect(page.locator('svg.recharts-surface').first()).toBeVisible();
  await page.getByText('Show as a table').click();
  await expect(page.getByRole('region', { name: 'Figures over time' }).getByRole('row')).toHaveCount(8);
  const today = page.getByRole('region', { name: 'Figures over time' }).getByRole('row').last();
  const ofToday = await today.getByRole('link').first().getAttribute('href');
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).first().click();
  expect((await download).suggestedFilename()).toBe('report.csv');

  await page.locator('.recharts-bar-rectangle path').first().click();
  await page.waitForURL(`**${ofToday}`);
  await expect(page.getByRole('link', { name: /Nora Newcomer: Order/ })).toBeVisible();
  await page.goBack();

  await figure('Resolved').getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Resolved conversations' })).toBeVisible();
  await page.getByRole('link', { name: /Nora Newcomer: Order/ }).click();
  await page.waitForURL(`**/inbox?**selected=${id}**`);
});

test('agents are not offered reports, and their address says who may see them', async ({ page }) => {
  await signIn(page, 'agent@demo.test', '/reports');
  await expect(page.getByText('Only owners and admins can see reports')).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports' }),
  ).toHaveCount(0);
});

const FIGURES = ['New conversations', 'Resolved'];
