import { type Browser, type BrowserContextOptions, test as base, type Page } from '@playwright/test';
import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';

type Appearance = {
  viewport: { width: number; height: number };
  colorScheme: 'light' | 'dark' | 'no-preference';
};

type Fixtures = {
  /** Opens a page for another user, with separate cookies and storage. */
  openElsewhere: () => Promise<Page>;
  /** A page of a phone with a touch screen, with separate cookies and storage. */
  phone: Page;
};

type WorkerFixtures = {
  /** The reused page with this number, with separate cookies and storage. */
  reusedPage: (at: number, appearance: Appearance) => Promise<Page>;
};

const DESKTOP = { viewport: { width: 1440, height: 720 }, colorScheme: 'light' } satisfies Appearance;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * `test` with pages that are reused across flows and reset in between. Loading and compiling the screens is most of
 * the work, and a page that stays open would receive the live updates of later flows. Flows without JavaScript get a
 * separate page.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  reusedPage: [
    async ({ browser }, use) => {
      const pages: Page[] = [];
      await use(async (at, { viewport, colorScheme }) => {
        const page = pages[at] ?? (await openHydratedPage(browser));
        pages[at] = page;
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        return page;
      });
      await Promise.all(pages.map((page) => page.context().close()));
    },
    { scope: 'worker' },
  ],
  page: async ({ browser, reusedPage, javaScriptEnabled, viewport, colorScheme }, use) => {
    if (javaScriptEnabled === false) {
      const page = await browser.newPage();
      await use(page);
      await page.close();
      return;
    }
    const appearance = {
      viewport: viewport ?? DESKTOP.viewport,
      colorScheme: colorScheme ?? DESKTOP.colorScheme,
    };
    const page = await reusedPage(0, appearance);
    await use(page);
    await reset(page);
  },
  context: ({ page }, use) => use(page.context()),
  openElsewhere: async ({ reusedPage, page: _ }, use) => {
    const opened: Page[] = [];
    await use(async () => {
      const page = await reusedPage(opened.length + 1, DESKTOP);
      opened.push(page);
      return page;
    });
    for (const page of opened) await reset(page);
  },
  phone: async ({ browser }, use) => {
    const page = await openHydratedPage(browser, PHONE);
    await use(page);
    await page.context().close();
  },
});

/**
 * Opens a page whose `goto` and `reload` wait for hydration. Earlier keys and clicks would be lost, and streaming
 * parts would exist twice.
 */
async function openHydratedPage(browser: Browser, options: BrowserContextOptions = DESKTOP): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const hydrated = async <T>(loaded: Promise<T>): Promise<T> => {
    const response = await loaded;
    await page.waitForFunction(isHydrated);
    return response;
  };
  page.goto = (url, options) => hydrated(goto(url, options));
  page.reload = (options) => hydrated(reload(options));
  return page;
}

/**
 * Runs in the browser. Returns whether all streamed parts are in place and React has attached handlers to all
 * buttons.
 */
function isHydrated(): boolean {
  if (!document.querySelector('script[src*="/_next/"]')) return true;
  if (document.querySelector('[hidden][id^="S:"]')) return false;
  return [...document.querySelectorAll('button')].every((button) =>
    Object.keys(button).some((key) => key.startsWith('__reactProps')),
  );
}

/** Resets a page. Keeps the page of a failed flow for inspection, because its worker process ends. */
async function reset(page: Page): Promise<void> {
  const { status, expectedStatus } = test.info();
  if (status !== expectedStatus) return;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['console', 'pageerror', 'request', 'response'] as const)
    page.removeAllListeners(event);
  await page.goto('about:blank');
  // A resting pointer would prefetch rows in the next flow.
  await page.mouse.move(0, 0);
  await context.clearCookies();
  const session = await context.newCDPSession(page);
  for (const address of Object.values(endToEndAddresses(process.env))) {
    const { origin } = new URL(address);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' });
  }
  await session.detach();
}
