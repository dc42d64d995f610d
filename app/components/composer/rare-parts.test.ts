import { expect, test } from 'vitest';

test('the server, which has no window, loads the parts of the composer that it renders', async () => {
  expect(typeof window).toBe('undefined');
  expect(await import('#app/components/composer/rare-parts.ts')).toHaveProperty('SharedDraft');
});
