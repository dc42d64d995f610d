import type { Page } from '@playwright/test';

/**
 * Has the page be refreshed while its next action is under way, as live news does, by a refresh whose response does not come.
 * Returns what lets it come.
 */
export async function holdRefresh(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  const { pathname } = new URL(page.url());
  let isBegun = false;
  await page.route(
    (url) => url.pathname === pathname,
    async (route) => {
      const headers = route.request().headers();
      if (headers['next-action'] && !isBegun) {
        isBegun = true;
        await page.evaluate(refresh);
      } else if (headers.rsc && !headers['next-action']) await held.promise;
      await route.continue();
    },
  );
  return held.resolve;
}

/** In the browser: what live news has the page do. */
function refresh(): void {
  const { next } = window as unknown as { next: { router: { refresh: () => void } } };
  next.router.refresh();
}
