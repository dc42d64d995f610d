import type { Page } from '@playwright/test';

/**
 * Triggers a refresh during the page's next action, like a live message, and holds back the response. Returns a
 * function that releases the response.
 */
export async function holdRefresh(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  const { pathname } = new URL(page.url());
  let hasStarted = false;
  await page.route(
    (url) => url.pathname === pathname,
    async (route) => {
      const headers = route.request().headers();
      if (headers['next-action'] && !hasStarted) {
        hasStarted = true;
        await page.evaluate(refresh);
      } else if (headers.rsc && !headers['next-action']) await released.promise;
      await route.continue();
    },
  );
  return released.resolve;
}

/** Runs in the browser. Refreshes the page like a live message. */
function refresh(): void {
  const { next } = window as unknown as { next: { router: { refresh: () => void } } };
  next.router.refresh();
}
