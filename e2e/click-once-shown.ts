import type { Page } from '@playwright/test';

/**
 * Clicks a button that appears after `cause` and disappears seconds later. The click runs in the page, because on a
 * busy machine the button is gone before a click of Playwright arrives. Ignores buttons with this name that exist
 * before.
 * @returns the text of the list item around the button when it appeared
 */
export async function clickOnceShown(
  page: Page,
  name: string,
  cause: () => Promise<unknown>,
): Promise<string> {
  const watch = await page.evaluateHandle(watchFor, name);
  await cause();
  return watch.evaluate(({ clicked }) => clicked);
}

/** Runs in the browser. Clicks the next button with this name. */
function watchFor(name: string): { clicked: Promise<string> } {
  const find = () => [...document.querySelectorAll('button')].filter((each) => each.textContent === name);
  const before = new Set(find());
  const clicked = new Promise<string>((resolve) => {
    const click = () => {
      const button = find().find((each) => !before.has(each) && !each.disabled && each.checkVisibility());
      if (!button) return void requestAnimationFrame(click);
      const text = button.closest('li')?.textContent ?? '';
      button.click();
      resolve(text);
    };
    click();
  });
  return { clicked };
}
