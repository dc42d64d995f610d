import { expect, test } from 'vitest';
import { mergeFacts } from '#app/components/inbox/merge-facts.ts';
import type { MergeSide } from '#server/screens/inbox/views.ts';

const side = (contactName: string | null, channel: MergeSide['channel'] = 'email'): MergeSide => ({
  id: `${contactName} ${channel}`,
  title: 'Order',
  channel,
  contactId: contactName,
  contactName,
  address: null,
});

test.for<[string, MergeSide[], MergeSide, [string | null, string | null, string]]>([
  [
    'one contact on one channel, without a warning',
    [side('Nora'), side('Nora')],
    side('Nora'),
    [null, null, 'Replies go to Nora by email, as before.'],
  ],
  [
    'one contact on two channels',
    [side('Nora', 'instagram')],
    side('Nora'),
    [
      'These conversations are from different channels.',
      'Nora sees only the messages of each channel there.',
      'Replies go to Nora by email, also to messages from Instagram.',
    ],
  ],
  [
    'two contacts by email, one of whom is answered at a time',
    [side('Luca')],
    side('Nora'),
    [
      'These conversations are from different contacts.',
      'Nora and Luca don’t see each other’s messages.',
      'Replies go by email to one of them at a time. The reply box names who gets the next one.',
    ],
  ],
  [
    'two contacts on a chat channel, of whom only one is answered',
    [side('Luca', 'whatsapp')],
    side('Nora', 'whatsapp'),
    [
      'These conversations are from different contacts.',
      'Nora and Luca don’t see each other’s messages.',
      'Replies go to Nora on WhatsApp. Luca gets none of them.',
    ],
  ],
  [
    'three contacts on two channels',
    [side('Luca', 'instagram'), side('Ines'), side('Nora')],
    side('Nora'),
    [
      'These conversations are from different contacts on different channels.',
      'Nora, Luca and Ines don’t see each other’s messages.',
      'Replies go to Nora by email. Luca and Ines get none of them.',
    ],
  ],
  [
    'conversations without a contact, which are never those of one contact',
    [side(null)],
    side(null),
    [
      'These conversations are from different contacts.',
      'The contacts don’t see each other’s messages.',
      'Replies go by email to one of them at a time. The reply box names who gets the next one.',
    ],
  ],
])('a merge names %s', ([_what, from, into, [warning, seen, answered]]) => {
  expect(mergeFacts(from, into)).toEqual({ warning, seen, answered });
});
