import { expect } from '@playwright/test';
import { CONNECTED_PATHS } from './checked-paths.ts';
import { connect, resetPlatform, signIn } from './steps.ts';
import { test } from './test.ts';

test.beforeEach(({ page }) => resetPlatform(page));

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

/** Runs in the browser. Counts the running animations while a skeleton is shown. */
function countAnimations(): number {
  const placeholder = document.createElement('p');
  placeholder.className = 'animate-pulse';
  document.body.append(placeholder);
  const { length } = document.getAnimations();
  placeholder.remove();
  return length;
}
