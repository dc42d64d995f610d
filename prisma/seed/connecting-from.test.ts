import { expect, it } from 'vitest';
import { connectingFrom } from '#prisma/seed/connecting-from.ts';

const SECRETS_KEY = 'k'.repeat(32);

it('connects the channels whose provider is on this machine, and no other', () => {
  const connecting = connectingFrom({
    SECRETS_KEY,
    META_API_URL: 'http://localhost:3003/meta',
    TELEGRAM_API_URL: 'https://api.telegram.org',
  });
  expect([...(connecting?.channels ?? [])]).toEqual(['whatsapp', 'instagram', 'messenger']);
});

it('connects nothing where nothing could be sealed', () => {
  expect(connectingFrom({ META_API_URL: 'http://localhost:3003/meta' })).toBeNull();
});
