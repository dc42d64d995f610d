import { expect } from '@playwright/test';
import { startConversation } from './composer.ts';
import { thread } from './open-first.ts';
import { resetPlatform } from './steps.ts';
import { test } from './test.ts';

// Push messages in a real service worker. The headless Chromium has neither a push service nor notifications, so the test dispatches
// the events, and stores what would be shown.

test('a push message shows a notification while the app is closed, and a click opens its conversation', async ({
  phone,
}) => {
  await resetPlatform(phone);
  const { id } = await startConversation(phone);
  const href = `/inbox?selected=${id}`;
  await phone.goto('/contacts');
  const started = phone.context().waitForEvent('serviceworker');
  await phone.evaluate(() => navigator.serviceWorker.register('/service-worker.js', { scope: '/' }));
  await phone.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const worker = await started;
  const message = { id: '1', title: 'Demo Growth', body: 'Nora wrote to you.', href, unread: 2 };

  await test.step('a page that has the focus shows none', async () => {
    expect(await worker.evaluate(pushMessage, message)).toEqual([]);
  });

  const { origin } = new URL(phone.url());
  await phone.goto('about:blank');
  await test.step('without a page the notification names what happened', async () => {
    const tag = { tag: href, data: { id: '1', href } };
    expect(await worker.evaluate(pushMessage, message)).toEqual([
      expect.objectContaining({ title: 'Demo Growth', body: 'Nora wrote to you.', ...tag }),
    ]);
  });

  await test.step('a click opens the conversation in the open page', async () => {
    await phone.goto(`${origin}/contacts`);
    await worker.evaluate(clickNotification, href);
    await expect(phone).toHaveURL(href);
    await expect(thread(phone)).toBeVisible();
  });
});

type Scope = EventTarget & {
  registration: { showNotification: unknown };
  navigator: { setAppBadge: unknown };
};

/** Runs in the service worker. Returns the notifications that a push message shows. */
async function pushMessage(message: object): Promise<object[]> {
  const scope = globalThis as unknown as Scope;
  const shown: object[] = [];
  scope.registration.showNotification = async (title: string, options: object) => {
    shown.push({ title, ...options });
  };
  // The headless Chromium ends the worker.
  Object.defineProperty(scope.navigator, 'setAppBadge', { value: async () => undefined, configurable: true });
  const work: Promise<unknown>[] = [];
  const event = Object.assign(new Event('push'), {
    data: { json: () => message },
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
  });
  scope.dispatchEvent(event);
  await Promise.all(work);
  return shown;
}

/** Runs in the service worker. */
async function clickNotification(href: string): Promise<void> {
  const work: Promise<unknown>[] = [];
  const event = Object.assign(new Event('notificationclick'), {
    notification: { close: () => undefined, data: { href } },
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
  });
  (globalThis as unknown as Scope).dispatchEvent(event);
  await Promise.all(work);
}
