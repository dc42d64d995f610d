import type { Page, Request } from '@playwright/test';

/** The list and the bar of the selected conversations. */
export function inbox(page: Page) {
  const list = page.getByRole('list', { name: 'Conversations' });
  const bar = page.getByRole('region', { name: 'Selected conversations' });
  return {
    rows: list.getByRole('link'),
    boxes: list.getByRole('checkbox'),
    bar,
    /** A button of the bar. */
    button: (name: string) => bar.getByRole('button', { name }),
  };
}

/** URL of the requests that change conversations. */
export const CHANGES = /\/api\/screens\/bulk\./;

/** Matches requests that change or restore selected conversations: every one, or only the nth. */
export function isChange(nth?: number): (request: Request) => boolean {
  let seen = 0;
  return (request) => {
    if (!CHANGES.test(request.url())) return false;
    seen += 1;
    return nth === undefined || seen === nth;
  };
}

/** Returns whether a request restores conversations to their values before a change. */
export function isUndo(request: Request): boolean {
  return request.url().endsWith('/bulk.undo');
}

/** Holds back a request. Returns a function that lets it fail. */
export async function abortRequest(
  page: Page,
  isAborted: (request: Request) => boolean,
): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  await page.route(CHANGES, async (route) => {
    if (!isAborted(route.request())) return route.continue();
    await released;
    await route.abort();
  });
  return resolve;
}
