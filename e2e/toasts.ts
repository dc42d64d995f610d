import { expect, type Locator, type Page } from '@playwright/test';

/** Scrolls these elements into view, and expects that the toast that appears after `cause` overlaps none of them. */
export async function expectUncovered(page: Page, elements: Locator[], cause: () => unknown): Promise<void> {
  // Repeated, because a conversation that arrives moves the rows.
  await expect(async () => {
    for (const element of elements) await element.scrollIntoViewIfNeeded();
    for (const element of elements) await expect(element).toBeInViewport({ ratio: 0.9, timeout: 1_000 });
  }).toPass();
  const handles = await Promise.all(elements.map((element) => element.elementHandle()));
  // Measured in the page, because the toast disappears seconds later.
  const measured = page.waitForFunction(findOverlapped, handles);
  await cause();
  expect(await (await measured).jsonValue()).toEqual([]);
}

/** Runs in the browser. Returns the elements that a toast overlaps, or null without a toast. */
function findOverlapped(elements: (Element | null)[]): string[] | null {
  const toasts = [...document.querySelectorAll('[data-sonner-toast][data-mounted="true"]')];
  if (toasts.length === 0) return null;
  const boxes = toasts.map((toast) => toast.getBoundingClientRect());
  const isOverlapped = (element: Element | null) => {
    const { top, right, bottom, left } = element?.getBoundingClientRect() ?? new DOMRect();
    return boxes.some((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top);
  };
  return elements.filter(isOverlapped).map((element) => element?.textContent ?? '');
}
