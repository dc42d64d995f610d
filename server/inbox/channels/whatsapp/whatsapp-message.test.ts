import { expect, test } from 'vitest';
import { parseWhatsappContent, valueShape } from '#server/inbox/channels/whatsapp/whatsapp-message.ts';

const account = {
  id: 'a',
  workspaceId: 'w',
  channel: 'whatsapp' as const,
  externalId: '1',
  name: 'Acme',
  credentials: {},
  sealed: null,
  settings: {},
  webhookCalledAt: null,
};

test('what cannot be shown of a message from the phone app is not said to be from the contact', () => {
  const poll = { id: 'm', to: '1', type: 'unsupported', unsupported: { type: 'poll_creation' } };
  const value = { metadata: { phone_number_id: '1' }, message_echoes: [poll] };
  const [echo] = valueShape.parse(value).message_echoes;
  expect(echo && parseWhatsappContent(echo, account, true)?.content).toBe(
    '[Something that cannot be shown here was sent: poll creation.]',
  );
});
