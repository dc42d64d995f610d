import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import {
  CONNECTED_PATHS,
  CONTACT_PATHS,
  OWNER_PATHS,
  SIGNED_OUT_PATHS,
  VIEWER_PATHS,
} from './checked-paths.ts';
import { COLOR_SCHEMES } from './color-schemes.ts';
import { PLATFORM_URL } from './connection.ts';
import { connect, goToConsent, goWithin, openSession, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

test.beforeEach(({ page }) => resetPlatform(page));

test('the documentation and its table of contents pass axe without sign-in', async ({ page }) => {
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

test('sign-in and related pages pass axe', async ({ page }) => {
  await page.goto('/sign-in');
  for (const path of SIGNED_OUT_PATHS) {
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
  for (const path of VIEWER_PATHS) {
    await goWithin(page, path);
    await expectAccessibleEverywhere(page);
  }
});

test('missing contacts, and the contact form for viewers, pass axe', async ({ page }) => {
  await signIn(page, 'viewer@demo.test', '/contacts');
  for (const path of CONTACT_PATHS) {
    await goWithin(page, path);
    await expectAccessibleEverywhere(page);
  }
});

test('a contact and its forms pass axe for an agent', async ({ page }) => {
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

test('an owner’s settings of a connected workspace pass axe and have one width', async ({ page }) => {
  await connect(page, 'owner@demo.test');
  await page.goto('/settings/account');
  await expectAllAccessible(page, CONNECTED_PATHS);
});

test('an owner’s other pages pass axe and have one width', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/settings/account');
  await expectAllAccessible(page, OWNER_PATHS);
});

test('no page has console errors or CSP violations', async ({ page }) => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await connect(page, 'owner@demo.test');
  for (const path of ['/docs', '/inbox', '/contacts', '/settings/channels', ...CONNECTED_PATHS]) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
  }
  expect(problems).toEqual([]);
});

test('an owner’s teammates page and its dialogs pass axe, and Escape closes these', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/settings/teammates');
  // While the page streams in, its parts exist twice, once hidden.
  await page.getByText('What each role can do').filter({ visible: true }).click();
  await expectAccessibleEverywhere(page);
  const agent = page.getByRole('listitem', { name: 'Arjun Mehta' });
  const dialog = page.getByRole('alertdialog');
  const remove = agent.getByRole('button', { name: 'Remove' });
  await remove.press('Enter');
  await expect(dialog).toContainText('No connection');
  await expectAccessibleEverywhere(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(remove).toBeFocused();
  const role = agent.getByRole('button', { name: 'Role of Arjun Mehta' });
  await role.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Viewer' }).press('Enter');
  await expect(dialog).toContainText('Viewers can’t be assigned conversations.');
  await expectAccessibleEverywhere(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(role).toBeFocused();
});

test('with reduced motion nothing is animated, even during a change of the colour scheme', async ({
  page,
}) => {
  await signIn(page, 'viewer@demo.test');
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const animations = () => page.evaluate(countAnimations);
  expect(await animations()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await animations()).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

/** Checks pages of an owner with axe, and the width of the settings at 1440 px. */
async function expectAllAccessible(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await goWithin(page, path);
    await expectAccessibleEverywhere(page);
    if (!path.startsWith('/settings/')) continue;
    const widths = await page.getByRole('heading', { level: 1 }).evaluate(contentWidths);
    expect([path, ...widths]).toEqual([path, 832, 832]);
  }
}

/** Runs in the browser. Returns the widths of a page's header and of the content below it. */
function contentWidths(heading: Element): number[] {
  const header = heading.closest('header');
  return [header, header?.nextElementSibling].map((element) => element?.getBoundingClientRect().width ?? 0);
}

/** Runs in the browser. Counts the running animations while a skeleton is shown. */
function countAnimations(): number {
  const placeholder = document.createElement('p');
  placeholder.className = 'animate-pulse';
  document.body.append(placeholder);
  const { length } = document.getAnimations();
  placeholder.remove();
  return length;
}
