import { afterEach, expect, test, vi } from 'vitest';
import { nameWorkspace } from '#app/components/shell/name-workspace.ts';

afterEach(() => vi.unstubAllGlobals());

test('names the workspace of the page in server actions, and in no other request', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response());
  vi.stubGlobal('window', { fetch });
  const stop = nameWorkspace('workspace');
  await window.fetch('/settings/tags', { method: 'POST', headers: { 'Next-Action': 'id' }, body: '[]' });
  const [path, sent] = fetch.mock.calls[0] ?? [];
  expect([path, sent?.method, sent?.body]).toEqual(['/settings/tags', 'POST', '[]']);
  expect(Object.fromEntries(new Headers(sent?.headers))).toEqual({
    'next-action': 'id',
    'x-workspace-id': 'workspace',
  });
  const page = { headers: { rsc: '1' } };
  await window.fetch('/inbox', page);
  expect(fetch).toHaveBeenLastCalledWith('/inbox', page);
  stop();
  expect(window.fetch).toBe(fetch);
});
