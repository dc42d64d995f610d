import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('an admin limits what an agent sees, whose open page follows, and both read who can read a conversation', async ({
  page,
  openElsewhere,
}) => {
  const agent = await openElsewhere();
  await signIn(agent, 'agent@demo.test', '/inbox');
  const rows = agent.locator('[data-conversation]');
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();

  await signIn(page, 'admin@demo.test', '/settings/visibility');
  const teammate = page.getByRole('listitem', { name: 'Arjun Mehta' });
  const choose = async (from: string, to: string) => {
    await teammate.getByRole('button', { name: `What Arjun Mehta sees: ${from}` }).press('ArrowDown');
    await page.getByRole('menuitemradio', { name: to }).press('Enter');
  };
  await choose('All of their channels', 'Only assigned');
  await expect(page.getByText('Arjun Mehta sees only assigned conversations')).toBeVisible();
  // The open page drops what it may no longer show.
  await expect.poll(() => rows.count()).toBeLessThan(before);

  const idsIn = (of: typeof page) =>
    of
      .locator('[data-conversation]')
      .evaluateAll((all) => all.map((row) => row.getAttribute('data-conversation')));
  await page.goto('/inbox');
  await expect(page.locator('[data-conversation]')).toHaveCount(before);
  const shown = await idsIn(agent);
  const hidden = (await idsIn(page)).find((id) => !shown.includes(id));
  await page.locator(`[data-conversation="${hidden}"]`).click();
  await page.getByRole('button', { name: 'Who can read this?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Who can read this conversation' });
  const cannot = dialog.getByRole('region', { name: 'Can’t read it' });
  await expect(cannot.getByRole('listitem').filter({ hasText: 'Arjun Mehta' })).toContainText(
    'They see only conversations that are assigned to them or their teams.',
  );
  await expectAccessible(page);
  await agent.goto(`/inbox?selected=${hidden}`);
  await expect(agent.getByText('There is nothing here')).toBeVisible();

  await page.goto('/settings/visibility');
  await choose('Only assigned', 'All of their channels');
  await expect(page.getByText('Arjun Mehta sees all of their channels')).toBeVisible();
});
