import { expect, test } from 'vitest';
import {
  commandEntries,
  detailsEntries,
  restoreEntries,
  restoreEntry,
} from '#app/components/command-menu/opened-entries.ts';
import { restorable } from '#app/components/inbox/restore.ts';
import type { ListenedCommands } from '#server/screens/inbox/composer-views.ts';
import type { OpenedView } from '#server/screens/inbox/views.ts';

type Given = {
  conversation?: Partial<OpenedView['conversation']>;
  problem?: string;
  agent?: OpenedView['agent'];
};

/** An opened conversation, as far as the entries read it. */
function openedView({ conversation, problem, agent = null }: Given): OpenedView {
  return {
    conversation: { claim: null, isLinked: false, removal: null, ...conversation },
    actions: { problem: problem ?? null },
    agent,
  } as OpenedView;
}

const inDetails = (given: Given) => detailsEntries(openedView(given)).map(({ label }) => label);

const email = 'ada@example.com';
const owner = { id: 'c1', name: 'Ada' };

test('a claimed address is linked to its owner or verified by a link, and a link is undone', () => {
  expect(inDetails({})).toEqual([]);
  expect(inDetails({ conversation: { claim: { email, owner } } })).toEqual([
    'Link contact to Ada',
    'Send a verification link',
  ]);
  expect(inDetails({ conversation: { claim: { email, owner: null } } })).toEqual([
    'Send a verification link',
  ]);
  expect(inDetails({ conversation: { claim: { email, owner }, isLinked: true } })).toEqual(['Undo link']);
});

test('the AI agent is turned off or on by a teammate who may change it', () => {
  expect(inDetails({ agent: { silenced: false, mayChange: true } })).toEqual(['Turn off AI agent']);
  expect(inDetails({ agent: { silenced: true, mayChange: true } })).toEqual(['Turn on AI agent']);
  expect(inDetails({ agent: { silenced: false, mayChange: false } })).toEqual([]);
});

test('only a teammate who may change a spam or deleted conversation restores it', () => {
  const labels = (kind: 'spam' | 'deleted', problem?: string) =>
    restoreEntry(
      openedView({
        conversation: { removal: { kind, removedAt: new Date() } },
        ...(problem ? { problem } : {}),
      }),
      () => {},
    ).map(({ label }) => label);
  expect(labels('spam')).toEqual(['Not spam', 'Block sender…']);
  expect(labels('deleted')).toEqual(['Restore conversation']);
  expect(labels('spam', 'Viewers cannot change conversations.')).toEqual([]);
  expect(restoreEntry(openedView({}), () => {})).toEqual([]);
});

test('the listed spam or deleted conversations are restored by their titles', () => {
  restorable.setState({
    rows: [
      { id: 'c1', kind: 'spam', title: 'Win' },
      { id: 'c2', kind: 'deleted', title: 'Old' },
    ],
  });
  const labels = restoreEntries(() => {}).map(({ label }) => label);
  expect(labels).toEqual(['Not spam: Win', 'Restore: Old']);
});

test('workflow commands are listed by name, with what they run', () => {
  const refund = { name: 'refund', workflows: 2, teammates: ['Ada'] };
  const listened = (commands: ListenedCommands['commands']) => ({
    conversationId: 'c',
    commands: { commands, any: null },
  });
  expect(commandEntries(listened([refund]))).toMatchObject([
    { label: 'Run /refund', hint: 'Runs 2 of Ada’s workflows' },
  ]);
  expect(commandEntries(listened([]))).toEqual([]);
});
