import type { Page, Request } from '@playwright/test';

/** Holds back the page's requests for a URL, or those of them that `isHeld` selects. Returns a function that releases them. */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  isHeld: (request: Request) => boolean = () => true,
): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (isHeld(route.request())) await released;
    await route.continue();
  });
  return resolve;
}
