import type { Page } from '@playwright/test';

/**
 * Triggers a refresh during the page's next change, like a live message, and holds back the response. Returns a
 * function that releases the response.
 */
export async function holdRefresh(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  const { pathname } = new URL(page.url());
  let hasStarted = false;
  await page.route(
    (url) => url.pathname === pathname || url.pathname.startsWith('/api/screens/'),
    async (route) => {
      const headers = route.request().headers();
      const isChange = route.request().method() === 'POST';
      if (isChange && !hasStarted) {
        hasStarted = true;
        await page.evaluate(refresh);
      } else if (headers.rsc && !isChange) await released.promise;
      await route.continue();
    },
  );
  return released.resolve;
}

/** Runs in the browser. Refreshes the page like a live message. */
export function refresh(): void {
  const { next } = window as unknown as { next: { router: { refresh: () => void } } };
  next.router.refresh();
}
