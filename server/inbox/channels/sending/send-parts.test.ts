import { beforeAll, expect, test } from 'vitest';
import { type SendPart, sendParts } from '#server/inbox/channels/sending/send-parts.ts';
import { setTestSettings } from '#test/servers/settings.ts';

beforeAll(() => setTestSettings());

const sent =
  (id: string): SendPart =>
  async () => ({ sent: id });
const unreadable: SendPart = () => Promise.reject(new Error('The file store is unreachable.'));

test('a file that cannot be read fails the message, which remembers the parts that arrived', async () => {
  const outcome = await sendParts([sent('1'), unreadable], { providerIds: [] });
  expect(outcome).toEqual({
    status: 'failed',
    reason: 'The message could not be sent. 1 of its 2 parts arrived.',
    reconnect: false,
    providerIds: ['1'],
  });
  const again = await sendParts([unreadable, sent('2')], { providerIds: ['1'] });
  expect(again).toEqual({ status: 'sent', externalId: '2', providerIds: ['1', '2'] });
});
