import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPages } from '#app/components/shell/find-pages.ts';
import { settingsGroups } from '#app/components/shell/pages.ts';

const FOLDER = 'app/components/settings';
/** Folders whose sections are not on the page of the same name. */
const PAGE_OF: Record<string, string> = { 'single-sign-on': 'workspace', email: 'channels' };
const SECTION = /<(?:Section|SettingsSection)\s[^>]*?title="([^"]+)"/g;

const sections = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx') && name.includes('/'))
  .flatMap((name) => {
    const [folder = ''] = name.split('/');
    const titles = readFileSync(`${FOLDER}/${name}`, 'utf8').matchAll(SECTION);
    return [...titles].map(([, title = '']) => [title, `/settings/${PAGE_OF[folder] ?? folder}`] as const);
  });

test('the settings have sections', () => {
  expect(sections.length).toBeGreaterThan(20);
});

test.each(sections)('the search finds “%s” on %s', (title, href) => {
  const found = findPages(settingsGroups({ role: 'owner', isTest: true }), title);
  expect(found?.map((page) => page.href)).toContain(href);
});

test.each(['agent', 'viewer'])('an %s finds only what they may open', (role) => {
  const groups = settingsGroups({ role, isTest: false });
  expect(findPages(groups, 'audit log')).toEqual([]);
  expect(findPages(groups, 'PASSKEYS')?.map(({ name }) => name)).toEqual(['Account']);
  expect(findPages(groups, ' ')).toBeNull();
});
