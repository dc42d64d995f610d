import { expect } from 'vitest';
import { connectingFrom } from '#prisma/seed/connecting-from.ts';
import { seedDemoData } from '#prisma/seed.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import { test } from '#test/fixtures/service-test.ts';

test('connects every channel of every demo workspace to the stand-in, and its contacts can be answered there', async () => {
  await seedDemoData(
    settings().DATABASE_URL,
    connectingFrom({
      SECRETS_KEY: process.env.SECRETS_KEY,
      META_API_URL: `${STAND_IN}/meta`,
      TELEGRAM_API_URL: `${STAND_IN}/telegram`,
      SLACK_API_URL: `${STAND_IN}/slack/api/`,
    }),
  );
  const accounts = await db().channelAccount.findMany({ select: sealedAccountSelect });
  expect(accounts).toHaveLength(5 * 5);
  for (const account of accounts) {
    expect(Object.values(openAccount(account).credentials)).not.toContain('');
  }

  const conversations = await db().conversation.findMany({
    where: { isTest: false, channel: { in: ['whatsapp', 'instagram', 'messenger', 'telegram', 'slack'] } },
    select: {
      channel: true,
      channelAccountId: true,
      externalThreadId: true,
      contact: { select: { identities: true } },
    },
  });
  expect(conversations.length).toBeGreaterThan(10);
  for (const { channel, channelAccountId, externalThreadId, contact } of conversations) {
    expect(channelAccountId).not.toBeNull();
    expect(externalThreadId).not.toBeNull();
    expect(contact?.identities.map((identity) => identity.channel)).toContain(channel);
  }
});

const STAND_IN = 'http://localhost:3003';
