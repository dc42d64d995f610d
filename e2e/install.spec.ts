import { expect, type Page } from '@playwright/test';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// Settings, Notifications says how to install the app. Chromium offers it by an event, which the test dispatches.

const heading = (page: Page) => page.getByRole('heading', { name: 'Install the app' });

test('the settings offer to install the app where the browser can, and not in the installed app', async ({
  phone,
}) => {
  await test.step('a click asks the browser once', async () => {
    await signIn(phone, 'owner@demo.test', '/settings/notifications');
    await expect(heading(phone)).toHaveCount(0);
    await phone.evaluate(offer);
    await phone.getByRole('button', { name: 'Install the app' }).click();
    await expect(heading(phone)).toHaveCount(0);
    expect(await phone.evaluate(() => document.documentElement.dataset.prompted)).toBe('1');
  });

  await test.step('Safari on an iPhone gets a sentence', async () => {
    const session = await phone.context().newCDPSession(phone);
    const usual = await phone.evaluate(() => navigator.userAgent);
    await session.send('Network.setUserAgentOverride', { userAgent: 'Mozilla/5.0 (iPhone) Safari/604.1' });
    await phone.reload();
    await expect(phone.getByText('On an iPhone or iPad only the installed app gets push')).toBeVisible();
    await session.send('Network.setUserAgentOverride', { userAgent: usual });
  });

  await test.step('the installed app registers the service worker, and offers nothing', async () => {
    await phone.addInitScript(pretendInstalled);
    await phone.reload();
    await phone.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await phone.evaluate(offer);
    await expect(phone.getByRole('heading', { name: 'This browser' })).toBeVisible();
    await expect(heading(phone)).toHaveCount(0);
  });
});

/** Runs in the browser. */
function offer(): void {
  const prompt = async () => {
    const { dataset } = document.documentElement;
    dataset.prompted = String(Number(dataset.prompted ?? 0) + 1);
    return { outcome: 'dismissed' };
  };
  window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }));
}

/** Runs in the browser. */
function pretendInstalled(): void {
  const { matchMedia } = window;
  window.matchMedia = (query) =>
    query === '(display-mode: standalone)' ? matchMedia('all') : matchMedia(query);
}
