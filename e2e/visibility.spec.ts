import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { startConversation } from './start-conversation.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('an admin limits what an agent sees, whose open page follows, and both read who can read a conversation', async ({
  page,
  openElsewhere,
}) => {
  await signIn(page, 'admin@demo.test', '/inbox');
  await startConversation(page, `visibility.${Date.now()}@example.com`, `Visibility ${Date.now()}`);
  const id = (await page.locator('[data-opened]').getAttribute('data-opened')) ?? '';
  const agent = await openElsewhere();
  await signIn(agent, 'agent@demo.test', '/inbox');
  const row = agent.locator(`[data-conversation="${id}"]`);
  await expect(row).toBeVisible();

  await page.goto('/settings/visibility');
  const teammate = page.getByRole('listitem', { name: 'Arjun Mehta' });
  const choose = async (from: string, to: string) => {
    await teammate.getByRole('button', { name: `What Arjun Mehta sees: ${from}` }).press('ArrowDown');
    await page.getByRole('menuitemradio', { name: to }).press('Enter');
  };
  await choose('All of their channels', 'Only assigned');
  await expect(page.getByText('Arjun Mehta sees only assigned conversations')).toBeVisible();
  // The open page drops what it may no longer show.
  await expect(row).toHaveCount(0);

  await page.goto(`/inbox?selected=${id}`);
  await page.getByRole('button', { name: 'Who can read this?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Who can read this conversation' });
  const cannot = dialog.getByRole('region', { name: 'Can’t read it' });
  await expect(cannot.getByRole('listitem').filter({ hasText: 'Arjun Mehta' })).toContainText(
    'They see only conversations that are assigned to them or their teams.',
  );
  await expectAccessible(page);
  await agent.goto(`/inbox?selected=${id}`);
  await expect(agent.getByText('There is nothing here')).toBeVisible();

  await page.goto('/settings/visibility');
  await choose('Only assigned', 'All of their channels');
  await expect(page.getByText('Arjun Mehta sees all of their channels')).toBeVisible();
});
