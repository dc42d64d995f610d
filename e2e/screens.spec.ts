import { expect } from '@playwright/test';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { COLOR_SCHEMES } from './color-schemes.ts';
import { PLATFORM_URL } from './connection.ts';
import { connect, goToConsent, goWithin, openSession, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

/** What an owner sees more of than others. */
const OWNED = [
  '/settings/integrations',
  '/settings/integrations/ended',
  '/settings/integrations/history',
  '/settings/teammates',
  '/settings/account',
  '/settings/workspace',
  '/settings/ai-agent',
  '/settings/ai-agent/test',
  '/settings/flows',
  '/settings/plan',
];

/** A dozen screens, each looked at three times. */
test.beforeEach(({ page }) => resetPlatform(page));

test('the documentation and its contents pass axe, for people who are not signed in', async ({ page }) => {
  await page.goto('/docs');
  await expectAccessibleEverywhere(page);
  await page.goto('/docs#sendReply');
  const title = page.getByRole('heading', { name: 'Send a reply' });
  await expect(title).toBeInViewport();
  await page.setViewportSize(COLOR_SCHEMES[2].viewport);
  await page.getByRole('button', { name: 'Contents' }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Limits', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Limits' })).toBeInViewport();
});

test('sign-in and what leads to it passes axe', async ({ page }) => {
  await page.goto('/forgot-password');
  await expectAccessibleEverywhere(page);
  const open = [
    '/invitation?token=unknown',
    '/reset-password',
    '/reset-password?token=unknown',
    '/sign-in?after=new-password',
    '/sign-in',
  ];
  for (const path of open) {
    await goWithin(page, path);
    await expectAccessibleEverywhere(page);
  }
});

test('the app’s screens and their empty and refused states pass axe', async ({ page }) => {
  await openSession(page, 'viewer@demo.test');
  const views = [
    '/inbox?selected=no-such',
    '/inbox?status=all&assignee=unassigned&channel=email',
    '/inbox?tag=VIP&search=nowhere',
    '/inbox',
  ];
  for (const path of views) {
    await page.goto(path);
    await expectAccessibleEverywhere(page);
  }
  await page.getByRole('main').getByRole('link', { name: /.+/ }).locator('visible=true').last().click();
  await expect(page.getByRole('article')).toBeVisible();
  await expectAccessibleEverywhere(page);
  const paths = [
    '/contacts',
    '/settings/integrations',
    '/settings/teammates',
    '/settings/account',
    '/settings/workspace',
    '/settings/ai-agent',
    '/settings/flows',
    '/settings/plan',
    '/nowhere',
  ];
  for (const path of paths) {
    await goWithin(page, path);
    await expectAccessibleEverywhere(page);
  }
});

test('contacts that are not found, and a form that a viewer may not use, pass axe', async ({ page }) => {
  await openSession(page, 'viewer@demo.test');
  await page.goto('/contacts?search=nobody-at-all');
  await expectAccessibleEverywhere(page);
  for (const path of ['/contacts/new', '/contacts/no-such']) {
    await goWithin(page, path);
    await expectAccessibleEverywhere(page);
  }
});

test('a contact and its forms, as someone who may change it sees them, pass axe', async ({ page }) => {
  await signIn(page, 'agent@demo.test', '/contacts/new');
  await page.getByLabel('Company', { exact: true }).selectOption({ label: 'New company…' });
  await page.getByLabel('Language', { exact: true }).selectOption({ label: 'Another language…' });
  await page.getByRole('button', { name: 'Create contact' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.goto('/contacts?search=priya');
  await page.getByRole('link', { name: 'Priya Raman' }).click();
  await page.getByRole('link', { name: 'Edit' }).waitFor();
  await expectAccessibleEverywhere(page);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  await expectAccessibleEverywhere(page);
});

test('the consent page, its refusals, and disconnecting pass axe', async ({ page }) => {
  await page.goto('/oauth/authorize?client_id=somebody');
  await expectAccessibleEverywhere(page);
  await openSession(page, 'owner@demo.test');
  await goToConsent(page);
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.waitForURL(`${PLATFORM_URL}/**`);
  await page.goto('/settings/integrations');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('the settings of a connected workspace, as its owner sees them, pass axe, and no page has an error in the console or anything that its security policy refuses', async ({
  page,
}) => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await connect(page, 'owner@demo.test');
  for (const path of ['/docs', '/inbox', '/contacts', ...OWNED]) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
  }
  for (const path of OWNED) {
    await goWithin(page, path);
    await expectAccessibleEverywhere(page);
  }
  expect(problems).toEqual([]);
});

test('teammates with everything that an owner changes, and what would end, pass axe', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/settings/teammates');
  // While the page streams in, its parts stand in it twice, once hidden.
  await page.getByText('What each role can do').filter({ visible: true }).click();
  await expectAccessibleEverywhere(page);
  const agent = page.getByRole('listitem', { name: 'Arjun Mehta' });
  await agent.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('No connection');
  await expectAccessibleEverywhere(page);
});

test('for people who want less motion nothing fades or turns, also while the colours of everything change', async ({
  page,
}) => {
  await signIn(page, 'viewer@demo.test');
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const moving = () => page.evaluate(countMoving);
  expect(await moving()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await moving()).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

/** In the browser: how many properties are on their way to another value, once there is something that waits. */
function countMoving(): number {
  const placeholder = document.createElement('p');
  placeholder.className = 'animate-pulse';
  document.body.append(placeholder);
  const { length } = document.getAnimations();
  placeholder.remove();
  return length;
}
