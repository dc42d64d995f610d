import { expect } from '@playwright/test';
import { chatPaths } from './chat-paths.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

test('an admin gives a team its own hours, for which the clock of a conversation waits and the web chat tells the visitor to wait', async ({
  page,
  browser,
}) => {
  const mark = Date.now();
  const team = `Weekend ${mark}`;
  await signIn(page, 'admin@demo.test', '/settings/teams');
  await page.getByRole('button', { name: 'New team' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill(team);
  await page.getByRole('button', { name: 'Create team' }).click();
  await expect(page.getByRole('listitem', { name: team })).toBeVisible();

  await page.goto('/settings/business-hours');
  const item = page.getByRole('listitem', { name: team });
  await item.getByRole('button', { name: `Change the hours of ${team}` }).click();
  await item.getByLabel('Hours', { exact: true }).selectOption('Own hours');
  for (const day of DAYS) await item.getByRole('checkbox', { name: day, exact: true }).uncheck();
  await item.getByRole('button', { name: 'Save hours' }).click();
  await expect(item.getByLabel('Hours', { exact: true })).toHaveAccessibleDescription(
    /Open on at least one day/,
  );
  // In three days, so that the team does not work now.
  const day = DAYS[(new Date().getUTCDay() + 3) % 7] ?? '';
  await item.getByRole('checkbox', { name: day, exact: true }).check();
  await item.getByLabel('Time zone').selectOption('UTC');
  await item.getByRole('button', { name: `Add an opening time on ${day}` }).click();
  await item.getByLabel(`${day}, opening time 2: from`).fill('16:00');
  await item.getByLabel(`${day}, opening time 2: until`).fill('20:00');
  await item.getByRole('button', { name: 'Save hours' }).click();
  await expect(item.getByText('These opening times overlap')).toBeVisible();
  await item.getByLabel(`${day}, opening time 2: from`).fill('17:00');
  await item.getByRole('button', { name: 'Add holiday' }).click();
  await item.getByLabel('Date of the holiday').fill('2026-12-25');
  await item.getByLabel('Name of the holiday').fill('Christmas Day');
  await item.getByRole('button', { name: 'Save hours' }).click();
  await expect(item).toContainText(`${day.slice(0, 3)} 09:00–17:00 and 17:00–20:00 (UTC)`);

  const { chat } = await chatPaths(page);
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(chat);
  await visitor.getByLabel('Name (optional)').fill(`Wanda ${mark}`);
  await visitor.getByRole('textbox', { name: 'Message' }).fill('Is anybody there?');
  await visitor.getByRole('button', { name: 'Send', exact: true }).click();
  await page.goto('/inbox');
  const row = page.getByRole('main').getByRole('link', { name: new RegExp(`Wanda ${mark}`) });
  await row.first().click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details).toContainText('First response due in');
  await details.getByLabel('Team').selectOption({ label: team });
  await expect(details).toContainText(/First response paused until \S+ 09:00/);
  await expect(visitor.getByText(/We’re away\. Back .+ at \d\d:\d\d\./)).toBeVisible();
  await visitor.context().close();
});
