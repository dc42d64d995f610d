import {
  type Act,
  NEW_TAG,
  next,
  PAUSE_MS,
  pressEscape,
  removeBenchTags,
  type Sample,
  UNDO,
} from '#bench/lab/act-setup.ts';

const BAR = '[data-bulk-bar]';
const BUSY = `$('${BAR}')?.ariaBusy`;
const GONE = `$('${BAR}') === null`;

/** Acts on several conversations, by name. Each changes three. */
export const BULK_ACTS: Record<string, Act> = {
  'select (X)': { path: '/inbox', before: next, press: 'x', shows: `$('${BAR} p')?.textContent` },
  'select all listed (click)': {
    path: '/inbox',
    before: selectThree,
    click: () => `${BAR} [type="checkbox"]`,
    shows: `$('${BAR} p')?.textContent`,
  },
  'solve the selected (E)': {
    path: '/inbox',
    before: selectThree,
    press: 'e',
    shows: `$('${BAR} p')?.textContent`,
    ends: GONE,
  },
  'undo of solving the selected (click)': {
    path: '/inbox',
    before: async (sample) => {
      const { page } = sample;
      await selectThree(sample);
      await page.keyboard.press('e');
      await page.locator(BAR).waitFor({ state: 'detached' });
      await page.waitForTimeout(PAUSE_MS);
    },
    click: () => UNDO,
    shows: `$('${BAR}') !== null`,
    ends: GONE,
  },
  'assign the selected to me (A)': {
    path: '/inbox',
    before: selectThree,
    press: 'a',
    shows: BUSY,
    ends: GONE,
  },
  'assign menu of the selected (click)': {
    path: '/inbox',
    before: selectThree,
    click: () => `${BAR} [aria-label="Assign selected to a teammate or team"]`,
    shows: `$('[role="menu"]') !== null`,
    after: pressEscape,
  },
  'tag panel of the selected (T)': {
    path: '/inbox',
    before: selectThree,
    press: 't',
    shows: `$('${NEW_TAG}') !== null`,
    after: pressEscape,
  },
  'tag the selected (Enter)': {
    path: '/inbox',
    before: async (sample) => {
      const { page, n } = sample;
      await removeBenchTags(sample);
      await selectThree(sample);
      await page.keyboard.press('t');
      await page.locator(`${NEW_TAG}:focus`).waitFor();
      await page.keyboard.type(`bench ${n}`);
      await page.waitForTimeout(PAUSE_MS);
    },
    press: 'Enter',
    shows: BUSY,
    ends: GONE,
  },
};

/** Selects the first three conversations. */
async function selectThree({ page }: Sample): Promise<void> {
  if ((await page.locator(BAR).count()) > 0) await page.keyboard.press('Shift+X');
  const boxes = page.locator('[data-conversation-list] .row-select input');
  await boxes.nth(0).click({ force: true });
  await boxes.nth(2).click({ force: true, modifiers: ['Shift'] });
  await page.locator(BAR, { hasText: '3 selected' }).waitFor();
  await page.waitForTimeout(PAUSE_MS);
}
