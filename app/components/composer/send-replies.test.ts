import { expect, test } from 'vitest';
import { pendingReplies, sendReplies } from '#app/components/composer/send-replies.ts';
import { createComposerStore, draftKey } from '#app/components/drafts/composer-store.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { ScheduledReply } from '#server/screens/inbox/composer-views.ts';

type Scheduled = Outcome<ScheduledReply>;

const VIEW = { conversationId: 'order', you: { id: 'olivia', name: 'Olivia' }, pending: [] };
const ENCLOSED = { cc: [], bcc: [], files: [], savedReplyIds: [] };
const REPLY = {
  text: 'Hello',
  formatted: null,
  enclosed: ENCLOSED,
  solves: false,
  answers: null,
  seen: ['m1'],
};
const SCHEDULED: Scheduled = { done: true, value: { msLeft: 5_000, unseen: [] } };

test('a reply is shown immediately, until the refetched view contains it', async () => {
  const { replies, state, scheduled, refetched, shown } = start();
  const sent = replies.send(VIEW, 'r1', REPLY);
  expect(shown()).toEqual(['r1']);
  scheduled.resolve(SCHEDULED);
  expect(await sent).toBeNull();
  expect(shown()).toEqual(['r1']);
  expect(shown(['r1'])).toEqual([]);
  expect(pendingReplies(state(), { ...VIEW, conversationId: 'return' }, [])).toEqual([]);
  refetched.resolve(undefined);
  await expect.poll(() => shown()).toEqual([]);
});

test.each([
  ['a refusal', { done: false, problem: 'Too long.', fields: {} } as const, { problem: 'Too long.' }],
  ['a lost request', new Error('lost'), { problem: expect.stringContaining('could not be reached') }],
  [
    'items that the writer has not seen',
    { done: true, value: { msLeft: 0, unseen: [{ id: 'm2' } as never] } } as const,
    { unseen: [{ id: 'm2' }] },
  ],
])('%s takes the reply away and is returned', async (_, outcome, refused) => {
  const { replies, scheduled, shown } = start();
  const sent = replies.send(VIEW, 'r1', REPLY);
  if (outcome instanceof Error) scheduled.reject(outcome);
  else scheduled.resolve(outcome as Scheduled);
  expect(await sent).toEqual(refused);
  expect(shown()).toEqual([]);
  expect(await replies.cancel('order', 'r1', true)).toMatchObject({ done: true });
});

test('a cancelled reply is not shown again, even by a view that was fetched before', async () => {
  const { replies, state, scheduled, refetched, shown, cancelled } = start();
  void replies.send(VIEW, 'r1', REPLY);
  const undone = replies.cancel('order', 'r1', true);
  await new Promise(setImmediate);
  expect(cancelled).toEqual([]);
  scheduled.resolve(SCHEDULED);
  expect(await undone).toMatchObject({ done: true, value: { content: 'Hello' } });
  expect(cancelled).toEqual(['r1']);
  expect(shown()).toEqual([]);
  const view = { ...VIEW, pending: [{ id: 'r1' } as never] };
  expect(pendingReplies(state(), view, [])).toEqual([]);
  refetched.resolve(undefined);
  await expect.poll(() => state().localReplies).toEqual([]);
  expect(pendingReplies(state(), view, [])).toEqual([]);
});

test('a reply whose response was lost is cancelled, because the server may have it', async () => {
  const { replies, scheduled, cancelled } = start();
  void replies.send(VIEW, 'r1', REPLY);
  const undone = replies.cancel('order', 'r1', true);
  scheduled.reject(new Error('lost'));
  expect(await undone).toMatchObject({ done: true, value: { content: 'Hello' } });
  expect(cancelled).toEqual(['r1']);
});

test('Undo of a reply that was never scheduled says nothing', async () => {
  const { replies, scheduled } = start({ done: false, problem: 'Too late to undo.', fields: {} });
  void replies.send(VIEW, 'r1', REPLY);
  const undone = replies.cancel('order', 'r1', true);
  scheduled.resolve({ done: false, problem: 'Too long.', fields: {} });
  expect(await undone).toBeUndefined();
});

test('a reply that its writer is asked about is apart from what they have written since, until it is sent or refused', () => {
  const { replies, composer, state } = start();
  const key = draftKey({ userId: 'olivia', conversationId: 'order', kind: 'reply' });
  composer.edit(key, () => ({ text: 'Hello' }));
  const taken = composer.take(key, []);
  composer.edit(key, () => ({ text: 'Half of the next one' }));
  const sent = { conversationId: 'order', key, taken, solves: false, sendAt: undefined, seen: ['m1'] };
  replies.settle({ ...sent, suggested: null }, { unseen: [{ id: 'm2' } as never] });
  expect(composer.get(key)).toMatchObject({ text: 'Half of the next one', sending: [taken] });
  expect(state().questions.order).toMatchObject({ taken, seen: ['m1', 'm2'] });
  replies.settle({ ...sent, suggested: null }, null);
  expect(composer.get(key)).toMatchObject({ text: 'Half of the next one', sending: [] });
  replies.settle({ ...sent, suggested: null }, { problem: 'Too long.' });
  expect(composer.get(key).text).toBe('Hello\n\nHalf of the next one');
});

function start(refusal?: Exclude<Scheduled, { done: true }>) {
  const scheduled = Promise.withResolvers<Scheduled>();
  const refetched = Promise.withResolvers<undefined>();
  const cancelled: string[] = [];
  const composer = createComposerStore(null, null);
  const state = composer.store.getState;
  const replies = sendReplies({
    composer,
    schedule: () => scheduled.promise,
    cancel: async (id) => {
      cancelled.push(id);
      if (refusal) return refusal;
      return { done: true, value: { content: 'Hello', formatted: null, ...ENCLOSED } };
    },
    refetch: () => refetched.promise,
  });
  const shown = (onScreen: readonly string[] = []) =>
    pendingReplies(state(), VIEW, onScreen).map(({ id }) => id);
  return { replies, composer, state, scheduled, refetched, cancelled, shown };
}
