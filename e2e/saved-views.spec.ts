import { expect, type Page } from '@playwright/test';
import { startConversation } from './start-conversation.ts';
import { goWithin, signIn } from './steps.ts';
import { test } from './test.ts';

test('a shared view appears for another teammate live, counts what enters and leaves it, and is renamed and deleted', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const name = `Urgent ${Date.now()} with a name that is too long`;
  await signIn(page, 'owner@demo.test', '/inbox?status=all&priority=high&sort=oldest');
  const other = await openElsewhere();
  await signIn(other, 'agent@demo.test', '/inbox');

  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Share with the workspace').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(view(page, name)).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('button', { name: `Rename view ${name}` })).toHaveText('Rename view');
  expect(await view(page, name).evaluate(isWithinNavigation)).toBe(true);

  await expect(view(other, name)).toHaveText(/\d+ conversations$/);
  const count = Number(/(\d+) conversations$/.exec((await view(other, name).textContent()) ?? '')?.[1]);
  await startConversation(page, `count.${Date.now()}@example.com`, `Count ${Date.now()}`);
  const priority = page.getByRole('region', { name: 'Details' }).getByLabel('Priority');
  await priority.selectOption({ label: 'High' });
  for (const each of [page, other])
    await expect(view(each, name)).toHaveText(`${name}${count + 1} conversations`);
  await priority.selectOption({ label: 'Normal' });
  for (const each of [page, other])
    await expect(view(each, name)).toHaveText(`${name}${count} conversations`);
  await view(other, name).click();
  await expect(other).toHaveURL('/inbox?priority=high&status=all&sort=oldest');
  await expect(view(other, name)).toHaveAttribute('aria-current', 'page');
  await expect(other.getByRole('list', { name: 'Filters' })).toContainText('High priority');
  await expect(other.getByRole('button', { name: 'Rename view' })).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill(name);
  await page.getByRole('option', { name: `View ${name}` }).click();
  await expect(view(page, name)).toHaveAttribute('aria-current', 'page');

  await page.getByRole('button', { name: `Rename view ${name}` }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(`${name} renamed`);
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(view(other, `${name} renamed`)).toBeVisible();
  await page.getByRole('button', { name: `Delete view ${name} renamed` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(view(page, name)).toHaveCount(0);
  await expect(view(other, name)).toHaveCount(0);
});

test('lists other than the default one are saved as views, and those after the eighth are folded', async ({
  page,
}) => {
  await test.step('a list with another status or order, or with a search, is saved as a view, unlike the default list', async () => {
    const name = `Solved ${Date.now()}`;
    const save = page.getByRole('button', { name: 'Save view' });
    await signIn(page, 'agent@demo.test', '/inbox');
    await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('link').first()).toBeVisible();
    await expect(save).toHaveCount(0);
    await goWithin(page, '/inbox?search=order');
    await expect(save).toBeVisible();
    await goWithin(page, '/inbox?status=solved&sort=due');
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(view(page, name)).toHaveAttribute('aria-current', 'page');

    await goWithin(page, '/inbox');
    await expect(save).toHaveCount(0);
    await view(page, name).click();
    await expect(page.getByRole('button', { name: `Delete view ${name}` })).toBeVisible();
    await expect(page).toHaveURL('/inbox?status=solved&sort=due');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).fill('delete view');
    await page.getByRole('option', { name: 'Delete view' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(view(page, name)).toHaveCount(0);
    await expect(save).toBeVisible();
  });

  await test.step('views after the eighth are folded, and counted once they are unfolded', async () => {
    for (let n = 1; n <= 9; n += 1) {
      // The last names, so that views of other flows stay unfolded.
      await goWithin(page, `/inbox?tag=folded-${n}`);
      await page.getByRole('button', { name: 'Save view' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save view' });
      await dialog.getByLabel('Name').fill(`Z folded ${n}`);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog).toHaveCount(0);
    }
    await page.goto('/inbox');
    await expect(view(page, 'Z folded 1')).toHaveText(/0 conversations$/);
    await expect(view(page, 'Z folded 9')).toHaveCount(0);
    await page.getByText(/^\d+ more$/).click();
    await expect(view(page, 'Z folded 9')).toHaveText(/0 conversations$/);
  });
});

test('a view with the same filters as a shared one is renamed and deleted by its owner', async ({
  page,
  openElsewhere,
}) => {
  const mark = Date.now();
  const [shared, own] = [`Same ${mark} A`, `Same ${mark} B`];
  await signIn(page, 'agent@demo.test', `/inbox?tag=same-${mark}`);
  const other = await openElsewhere();
  await signIn(other, 'owner@demo.test', `/inbox?tag=same-${mark}`);
  for (const { of, name } of [
    { of: page, name: own },
    { of: other, name: shared },
  ]) {
    await of.getByRole('button', { name: 'Save view' }).click();
    const dialog = of.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill(name);
    if (name === shared) await dialog.getByLabel('Share with the workspace').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(view(of, name)).toBeVisible();
  }
  await expect(view(page, shared)).toBeVisible();
  await expect(page.getByRole('button', { name: `Delete view ${shared}` })).toHaveCount(0);

  // The visible name distinguishes views with the same filters.
  await expect(page.getByRole('button', { name: `Rename view ${own}` })).toHaveText(`Rename view ${own}`);
  await page.getByRole('button', { name: `Rename view ${own}` }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(`${own} renamed`);
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: `Delete view ${own} renamed` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(view(page, own)).toHaveCount(0);

  await other.getByRole('button', { name: `Delete view ${shared}` }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(view(page, shared)).toHaveCount(0);
});

/** Runs in the browser. Returns whether a link is no wider than the navigation. */
function isWithinNavigation(link: Element): boolean {
  const navigation = link.closest('nav');
  return (
    navigation !== null && link.getBoundingClientRect().right <= navigation.getBoundingClientRect().right
  );
}

function view(page: Page, name: string) {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
}
