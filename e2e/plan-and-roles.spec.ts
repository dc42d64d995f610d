import { expect, type Page } from '@playwright/test';
import { resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

// What each role finds in the settings, and what an owner does with the plan.

test.beforeEach(({ page }) => resetPlatform(page));

test('an owner changes the plan, and cancels when it would take something away', async ({ page }) => {
  await test.step('an owner sees what a smaller plan would take away and cancels', async () => {
    await signIn(page, 'owner@demo.test', '/settings/plan');
    await page.getByRole('button', { name: 'Change to Starter' }).click();
    for (const loss of [
      '2 integrations are in use, and this plan has 1 slot.',
      'Internal notes can no longer be added.',
      'Emails are saved in their conversation but no longer sent.',
    ]) {
      await expect(dialog(page)).toContainText(loss);
    }
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Change to Starter' })).toBeFocused();
  });

  await test.step('an owner changes the plan, and the slots change immediately', async () => {
    await openWorkspace(page, 'Demo Growth', 'Demo Full');
    await page.goto('/settings/integrations');
    await expect(region(page, 'Integration slots')).toContainText('1 of 1 slot used on Starter');

    await page.goto('/settings/plan');
    await page.getByRole('button', { name: 'Change to Growth' }).click();
    await expect(dialog(page)).toContainText('Nothing is lost. The workspace will have 5 integration slots');
    await page.keyboard.press('Escape');
    await changePlan(page, 'Growth');
    await expect(page.getByRole('heading', { name: 'Growth' })).toBeFocused();
    await page.goto('/settings/integrations');
    await expect(region(page, 'Integration slots')).toContainText('1 of 5 slots used on Growth');

    await page.goto('/settings/plan');
    await changePlan(page, 'Starter');
    await page.goto('/settings/integrations');
    await expect(region(page, 'Integration slots')).toContainText('1 of 1 slot used on Starter');
    await openWorkspace(page, 'Demo Full', 'Demo Growth');
  });
});

test('agents and viewers are shown only settings that they can open, and learn who can change them', async ({
  page,
}) => {
  await test.step('agents and viewers are shown only settings that they can open', async () => {
    const shown = {
      'viewer@demo.test': ['Account', 'Notifications', 'Teammates', 'Teams', 'Automations', 'AI agent'],
      'agent@demo.test': [
        'Account',
        'Notifications',
        'Teammates',
        'Teams',
        'Automations',
        'AI agent',
        'Saved replies',
      ],
    };
    const list = page.getByRole('list', { name: 'Settings' });
    const links = list.getByRole('link');
    for (const [email, names] of Object.entries(shown)) {
      await page.context().clearCookies();
      await signIn(page, email, '/settings');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Teammates');
      await expect(links.filter({ visible: true })).toHaveText(['Teammates', 'Teams']);
      for (const group of ['You', 'Automation']) await list.getByText(group, { exact: true }).click();
      await expect(links.filter({ visible: true })).toHaveText(names);
      for (const name of names) {
        await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
        // Refusals of missing pages have another heading, and the others say who may open the page.
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
        await expect(page.locator('.animate-pulse')).toHaveCount(0);
        await expect(page.getByRole('main')).not.toContainText('Only owners and admins');
      }
    }
  });

  await test.step('an agent cannot change plan or workspace, and learns who can', async () => {
    await page.goto('/settings/plan');
    await expect(page.getByText('Only an owner of Demo Growth can change its plan')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Change to/ })).toHaveCount(0);
    await page.goto('/settings/workspace');
    await expect(page.getByText('Only owners and admins can change the workspace')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);

    for (const path of ['/settings/integrations/ended', '/settings/integrations/history']) {
      await page.goto(path);
      await expect(page.getByText('Only owners and admins can manage integrations')).toBeVisible();
    }
  });

  await test.step('a viewer reads the settings of automations, and learns who can change them', async () => {
    await page.context().clearCookies();
    await signIn(page, 'viewer@demo.test', '/settings/teammates');
    await page.getByText('Automation', { exact: true }).click();
    await page.getByRole('link', { name: 'AI agent', exact: true }).click();
    await expect(page.getByText('Owners and admins turn the AI agent on and off')).toBeVisible();
    await expect(page.getByRole('switch')).toHaveCount(0);
    await page.getByRole('link', { name: 'Automations', exact: true }).click();
    await expect(page.getByText('Owners and admins create automations')).toBeVisible();
    await expect(page.getByRole('button', { name: 'New automation' })).toHaveCount(0);
    await page.goto('/settings/ai-agent/test');
    await expect(page.getByText('Viewers can’t test the agent')).toBeVisible();
  });
});

/** Switches workspaces and waits until the workspace is open. */
async function openWorkspace(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Workspace: ${from}` }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${to}`) }).click();
  await expect(page.getByRole('button', { name: `Workspace: ${to}` })).toBeVisible();
}

/** Changes the plan on the plan page and waits for it. */
async function changePlan(page: Page, to: string): Promise<void> {
  await page.getByRole('button', { name: `Change to ${to}` }).click();
  await dialog(page)
    .getByRole('button', { name: `Change to ${to}` })
    .click();
  await expect(dialog(page)).toBeHidden();
  const current = page.getByRole('listitem').filter({ hasText: 'Current plan' });
  await expect(current.getByRole('heading', { name: to })).toBeVisible();
}

function region(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

function dialog(page: Page) {
  return page.getByRole('alertdialog');
}

test('settings are found by a word, and the group of the open page is unfolded', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  const list = page.getByRole('list', { name: 'Settings' });
  const shown = list.getByRole('link').filter({ visible: true });
  await expect(shown).toHaveText(['Developers']);
  const search = page.getByRole('searchbox', { name: 'Find a setting' });
  await search.fill('whatsapp');
  await expect(shown).toHaveText(['Channels']);
  await search.fill('no such setting');
  await expect(list).toHaveText('No setting found');
  await search.press('Escape');
  await expect(shown).toHaveText(['Developers']);
  await search.fill('tag');
  await search.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tags');
  await expect(search).toHaveValue('');
  await expect(list.getByRole('link', { name: 'Tags' })).toHaveAttribute('aria-current', 'page');
  await expect(list.getByRole('link', { name: 'Teammates' })).toBeVisible();
  await expect(list.getByRole('link', { name: 'Blocked senders' })).toBeHidden();
});
