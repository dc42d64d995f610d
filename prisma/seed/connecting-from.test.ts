import { expect, it } from 'vitest';
import { connectingFrom } from '#prisma/seed/connecting-from.ts';

const SECRETS_KEY = 'k'.repeat(32);

it('connects only channels whose provider is on this machine', () => {
  const connecting = connectingFrom({
    SECRETS_KEY,
    META_API_URL: 'http://localhost:3003/meta',
    TELEGRAM_API_URL: 'https://api.telegram.org',
  });
  expect([...(connecting?.channels ?? [])]).toEqual(['whatsapp', 'instagram', 'messenger']);
});

it('connects nothing without a key for credentials', () => {
  expect(connectingFrom({ META_API_URL: 'http://localhost:3003/meta' })).toBeNull();
});
