import { expect, type Page, type Response } from '@playwright/test';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// The inbox navigates by data requests without page requests, and the URL describes the view.

test('a conversation, a tab and a search appear without a page request, and back and forward work', {
  tag: '@journey',
}, async ({ page }) => {
  await openInbox(page);
  const id = (await row(page, 1).getAttribute('data-conversation')) ?? '';
  const requests = watchRequests(page);
  await rowOf(page, id).click();
  await expect(opened(page)).toHaveAttribute('data-opened', id);
  await expect(page).toHaveURL(`/inbox?selected=${id}`);

  await tab(page, 'Solved').click();
  await expect(tab(page, 'Solved')).toHaveAttribute('aria-current', 'page');
  await expect(page.locator('[data-conversation][href*="status=solved"]').first()).toBeVisible();
  await expect(opened(page)).toHaveAttribute('data-opened', id);

  await page.getByRole('textbox', { name: 'Search conversations' }).fill('coffee');
  await expect(page).toHaveURL(/search=coffee/);

  await page.goBack();
  await expect(page).toHaveURL(`/inbox?selected=${id}`);
  await expect(tab(page, 'Open')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('textbox', { name: 'Search conversations' })).toHaveValue('');
  await page.goBack();
  await expect(opened(page)).toHaveCount(0);
  await page.goForward();
  await expect(opened(page)).toHaveAttribute('data-opened', id);

  // After a reload, the URL shows the same view.
  expect(requests.filter((path) => path.startsWith('/inbox'))).toEqual([]);
  await page.reload();
  await expect(opened(page)).toHaveAttribute('data-opened', id);
});

test('a row clicked before Next.js follows URLs opens its conversation', async ({ browser }) => {
  // A separate page, because the init script would stay on a shared one and click in later flows.
  const page = await browser.newPage();
  await page.addInitScript(clickFirstRowEarly);
  await signIn(page, 'owner@demo.test', '/inbox');
  await expect(opened(page)).toHaveCount(1);
  await page.close();
});

/**
 * Runs in the browser. Clicks the first row after hydration, before the effects in which Next.js starts to follow
 * URLs. Next.js writes its first history entry just before.
 */
function clickFirstRowEarly(): void {
  if (window.location.search !== '') return;
  const { replaceState } = History.prototype;
  History.prototype.replaceState = function (...entry) {
    History.prototype.replaceState = replaceState;
    replaceState.apply(this, entry);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => document.querySelector<HTMLElement>('[data-conversation]')?.click();
    port2.postMessage(null);
  };
}

test('going back before a search is shown clears the search box', async ({ page }) => {
  await openInbox(page);
  await row(page, 1).click();
  await expect(opened(page)).toHaveCount(1);
  await tab(page, 'Solved').click();
  await expect(tab(page, 'Solved')).toHaveAttribute('aria-current', 'page');
  await page.evaluate(goBackOnSearch);
  await page.getByRole('textbox', { name: 'Search conversations' }).fill('coffee');
  await expect(tab(page, 'Open')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('textbox', { name: 'Search conversations' })).toHaveValue('');
});

/** Runs in the browser. Goes back as soon as the URL has a search. */
function goBackOnSearch(): void {
  const { replaceState } = history;
  history.replaceState = (...change) => {
    replaceState.apply(history, change);
    if (!`${change[2]}`.includes('search=')) return;
    history.replaceState = replaceState;
    history.back();
  };
}

test('hovering or focusing a row prefetches its conversation, and opening it sends no request', async ({
  page,
}) => {
  await test.step('hovering a row prefetches its conversation, and opening it sends no request', async () => {
    await openInbox(page);
    const id = (await row(page, 2).getAttribute('data-conversation')) ?? '';
    const fetched = untilFetched(page, id);
    await rowOf(page, id).hover();
    await (await fetched).finished();
    await page.context().setOffline(true);
    await rowOf(page, id).click();
    await expect(opened(page)).toHaveAttribute('data-opened', id);
    await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible();
    await page.context().setOffline(false);
  });

  await test.step('focusing a row by keyboard prefetches its conversation', async () => {
    await page.goto('/inbox');
    await row(page, 0).focus();
    const fetched: string[] = [];
    page.on('response', (response) => fetched.push(decodeURIComponent(response.url())));
    // The first Tab focuses the checkbox of the row.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const id = (await page.locator('[data-conversation]:focus').getAttribute('data-conversation')) ?? '';
    await expect
      .poll(() => fetched.some((url) => url.includes('conversations.get') && url.includes(id)))
      .toBe(true);
    await page.keyboard.press('Enter');
    await expect(opened(page)).toHaveAttribute('data-opened', id);
  });
});

test('opening a conversation fetches only the conversation, and forces no layout', async ({ page }) => {
  // Viewers receive no notifications.
  await openInbox(page, 'viewer@demo.test');
  await expect(row(page, 1)).toBeVisible();
  await page.evaluate(countMeasurements);
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // The page also reports which conversation is open, to the teammates who view it.
    const reports = request.method() === 'POST' && pathname === '/live';
    if (!reports && (request.method() !== 'GET' || searchParams.has('_rsc')))
      requests.push(`${request.method()} ${pathname}`);
  });
  for (const n of [1, 0]) {
    const id = (await row(page, n).getAttribute('data-conversation')) ?? '';
    await rowOf(page, id).click();
    await expect(opened(page)).toHaveAttribute('data-opened', id);
    await expect(page.getByRole('region', { name: 'Contact' })).toBeVisible();
  }
  expect(requests).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.dataset.measured)).toBe('0');
});

/** Runs in the browser. Counts reads of the thread's height, which force a layout. */
function countMeasurements(): void {
  const height = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollHeight');
  let count = 0;
  document.documentElement.dataset.measured = '0';
  Object.defineProperty(Element.prototype, 'scrollHeight', {
    configurable: true,
    get(this: Element) {
      if (this.getAttribute('aria-label') === 'Messages') count += 1;
      document.documentElement.dataset.measured = `${count}`;
      return height?.get?.call(this);
    },
  });
}

test('without JavaScript, tabs and conversations are links and the search is a form', {
  tag: '@journey',
}, async ({ page, browser }) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await context.newPage();
  await plain.goto('/inbox');
  await tab(plain, 'Solved').click();
  await expect(plain).toHaveURL('/inbox?status=solved');
  await row(plain, 0).click();
  await expect(plain).toHaveURL(/selected=/);
  await context.close();
});

/** Opens the inbox and waits until Next.js follows URLs. An earlier click would load the page. */
async function openInbox(page: Page, email = 'owner@demo.test'): Promise<void> {
  await signIn(page, email, '/inbox');
  await page.waitForFunction(() => Object.hasOwn(window.history, 'pushState'));
}

/** Records the requests from now on, without link prefetches. */
function watchRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/inbox' && request.method() === 'GET') requests.push(`${pathname}?${searchParams}`);
    if (pathname.startsWith('/api/screens/')) requests.push(pathname);
  });
  return requests;
}

function untilFetched(page: Page, id: string): Promise<Response> {
  return page.waitForResponse((response) => {
    const address = decodeURIComponent(response.url());
    return address.includes('conversations.get') && address.includes(id);
  });
}

function row(page: Page, n: number) {
  return page.locator('[data-conversation]').nth(n);
}

/** The row of a conversation, even if other flows move it. */
function rowOf(page: Page, id: string) {
  return page.locator(`[data-conversation="${id}"]`);
}

function opened(page: Page) {
  return page.locator('[data-opened]');
}

function tab(page: Page, name: string) {
  return page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name });
}
