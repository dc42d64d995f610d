import { expect, type Page } from '@playwright/test';
import { accountOf, control } from './control-providers.ts';
import { thread } from './open-first.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('a team assigns conversations by turns, and to someone else while the assignee is away', async ({
  page,
  openElsewhere,
}) => {
  const mark = Date.now();
  const team = `Turns ${mark}`;
  await signIn(page, 'admin@demo.test', '/settings/teams');
  await page.getByRole('button', { name: 'New team' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill(team);
  await page.getByRole('button', { name: 'Create team' }).click();
  const item = page.getByRole('listitem', { name: team, exact: true });
  for (const name of ['Amara Diallo', 'Arjun Mehta']) {
    await item.getByRole('button', { name: `Members of ${team}: Add a teammate` }).press('ArrowDown');
    await page.getByRole('menuitem', { name }).press('Enter');
    await expect(item.getByRole('listitem').filter({ hasText: name })).toHaveCount(1);
  }

  await test.step('the limit is checked, and the list shows the setting', async () => {
    await item.getByRole('button', { name: `Assignment of ${team}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Assign conversations automatically').selectOption({ label: 'Round robin' });
    const limit = dialog.getByLabel('Maximum open conversations per member');
    await limit.fill('many');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(limit).toHaveAccessibleDescription(/Enter a number from 1 to 999/);
    await limit.fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(item).toContainText('Assigned automatically: round robin');
  });

  const account = await accountOf(page, 'whatsapp');
  const write = (from: string, text: string) =>
    control(page, 'POST', `/accounts/${account}/messages`, { from, text });
  const names = [`Tina ${mark}`, `Tom ${mark}`];
  const assignees: string[] = [];
  await page.goto('/inbox');
  for (const name of names) {
    await write(name, 'Where is my order?');
    await row(page, name).click();
    await details(page).getByLabel('Team').selectOption({ label: team });
    const assigned = thread(page).getByText(/^Assigned to .+, whose turn it was in Turns/);
    await expect(assigned).toHaveCount(1);
    assignees.push(/Assigned to (.+), whose/.exec((await assigned.textContent()) ?? '')?.[1] ?? '');
  }
  expect(assignees.toSorted()).toEqual(['Amara Diallo', 'Arjun Mehta']);

  const arjun = await openElsewhere();
  await signIn(arjun, 'agent@demo.test', '/settings/teammates');
  await test.step('the absent assignee’s conversation goes to the other when its contact writes', async () => {
    await arjun.getByRole('button', { name: 'Set away yourself' }).click();
    await arjun.getByRole('dialog').getByRole('button', { name: 'Set away' }).click();
    await expect(arjun.getByRole('button', { name: 'I’m back' })).toBeVisible();
    const name = names[assignees.indexOf('Arjun Mehta')] ?? '';
    await row(page, name).click();
    await write(name, 'Any news?');
    await expect(
      thread(page).getByText(
        `Assigned to Amara Diallo, whose turn it was in ${team}, because Arjun Mehta is away`,
      ),
    ).toBeVisible();
  });
  await arjun.getByRole('button', { name: 'I’m back' }).click();
  await expect(arjun.getByRole('button', { name: 'Set away yourself' })).toBeVisible();
});

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
const details = (page: Page) => page.getByRole('region', { name: 'Details' });
