import { type Browser, test as base, type Page } from '@playwright/test';
import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';

type Look = { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' | 'no-preference' };

type Fixtures = {
  /** Opens a page of somebody else, who has cookies and storage of their own. */
  openElsewhere: () => Promise<Page>;
};

type WorkerFixtures = {
  /** The page that is kept under this number, with cookies and storage of its own. */
  keptPage: (at: number, look: Look) => Promise<Page>;
};

const DESKTOP = { viewport: { width: 1280, height: 720 }, colorScheme: 'light' } satisfies Look;

/**
 * `test` whose pages are kept and given to one flow after the other, emptied: to load and compile the screens is most of the work,
 * and a page that stays open would go on following what later flows do. Flows without JavaScript have a page of their own.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  keptPage: [
    async ({ browser }, use) => {
      const kept: Page[] = [];
      await use(async (at, { viewport, colorScheme }) => {
        const page = kept[at] ?? (await openPatientPage(browser));
        kept[at] = page;
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        return page;
      });
      await Promise.all(kept.map((page) => page.context().close()));
    },
    { scope: 'worker' },
  ],
  page: async ({ browser, keptPage, javaScriptEnabled, viewport, colorScheme }, use) => {
    if (javaScriptEnabled === false) {
      const page = await browser.newPage();
      await use(page);
      await page.close();
      return;
    }
    const look = { viewport: viewport ?? DESKTOP.viewport, colorScheme: colorScheme ?? DESKTOP.colorScheme };
    const page = await keptPage(0, look);
    await use(page);
    await empty(page);
  },
  context: ({ page }, use) => use(page.context()),
  openElsewhere: async ({ keptPage, page: _ }, use) => {
    const opened: Page[] = [];
    await use(async () => {
      const page = await keptPage(opened.length + 1, DESKTOP);
      opened.push(page);
      return page;
    });
    for (const page of opened) await empty(page);
  },
});

/** A page that is there once it answers: a key or click before that is lost, and what still streams in is there twice. */
async function openPatientPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext(DESKTOP)).newPage();
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const patiently = async <T>(loaded: Promise<T>): Promise<T> => {
    const response = await loaded;
    await page.waitForFunction(isAnswering);
    return response;
  };
  page.goto = (url, options) => patiently(goto(url, options));
  page.reload = (options) => patiently(reload(options));
  return page;
}

/** In the browser: whether no part waits to be put in its place, and React has attached to every button what answers. */
function isAnswering(): boolean {
  if (!document.querySelector('script[src*="/_next/"]')) return true;
  if (document.querySelector('[hidden][id^="S:"]')) return false;
  return [...document.querySelectorAll('button')].every((button) =>
    Object.keys(button).some((key) => key.startsWith('__reactProps')),
  );
}

/** As nobody has used it yet. A page whose flow failed is left as it is, to be looked at: its process ends. */
async function empty(page: Page): Promise<void> {
  const { status, expectedStatus } = test.info();
  if (status !== expectedStatus) return;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['console', 'pageerror', 'request', 'response'] as const)
    page.removeAllListeners(event);
  await page.goto('about:blank');
  // What it rests on in the next flow would be fetched ahead.
  await page.mouse.move(0, 0);
  await context.clearCookies();
  const session = await context.newCDPSession(page);
  for (const address of Object.values(endToEndAddresses(process.env))) {
    const { origin } = new URL(address);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  }
  await session.detach();
}
