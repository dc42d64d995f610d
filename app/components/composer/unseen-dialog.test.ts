import { expect, test } from 'vitest';
import { withSentReplies } from '#app/components/composer/unseen-dialog.tsx';
import type { UnseenItem } from '#server/screens/inbox/composer-views.ts';

const PENDING: UnseenItem = {
  id: 'reply',
  kind: 'pending',
  fromContact: false,
  actorKind: 'teammate',
  authorName: 'Olivia Owen',
  content: 'Hello Ada',
};
const NOTE: UnseenItem = { ...PENDING, id: 'note', kind: 'note' };

test('a colleague’s reply is about to be sent until the conversation contains it', () => {
  expect(withSentReplies([PENDING, NOTE], [{ id: 'other' }, { id: 'note' }])).toEqual([PENDING, NOTE]);
  expect(withSentReplies([PENDING, NOTE], [{ id: 'note' }, { id: 'reply' }])).toEqual([
    { ...PENDING, kind: 'message' },
    NOTE,
  ]);
});
