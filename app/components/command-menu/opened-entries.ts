import type { MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import { describeRuns } from '#app/components/composer/suggest-commands.ts';
import { composer } from '#app/components/drafts/drafts.ts';
import { linkTo, sendLink, unlink } from '#app/components/inbox/claim-changes.ts';
import { changeSilenced } from '#app/components/inbox/field-changes.ts';
import { RESTORING, restorable, restore } from '#app/components/inbox/restore.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { OpenedView } from '#server/screens/inbox/views.ts';

/** Returns the entries for the claimed address and the AI agent. */
export function detailsEntries({ conversation, agent }: OpenedView): MenuEntry[] {
  const { id, claim, isLinked } = conversation;
  const owner = isLinked ? null : claim?.owner;
  return [
    ...(owner ? [call('link-contact', `Link contact to ${owner.name}`, () => linkTo(id, owner))] : []),
    ...(claim && !isLinked ? [call('send-link', 'Send a verification link', () => sendLink(id))] : []),
    ...(isLinked ? [call('unlink-contact', 'Undo link', () => unlink(id))] : []),
    ...(agent?.mayChange
      ? [
          call('agent', `Turn ${agent.silenced ? 'on' : 'off'} AI agent`, () =>
            changeSilenced(id, !agent.silenced),
          ),
        ]
      : []),
  ];
}

/**
 * Returns the entries that restore a spam or deleted conversation, and block the sender of spam.
 * @param refresh see `restore`
 */
export function restoreEntry(
  { conversation: { id, removal }, actions }: OpenedView,
  refresh: () => void,
): MenuEntry[] {
  if (!removal || actions.problem !== null) return [];
  const put = (label: string) => call('restore', label, () => restore(id, removal.kind, refresh));
  if (removal.kind === 'deleted') return [put('Restore conversation')];
  return [
    put(RESTORING.spam.label),
    {
      id: 'act:block-sender',
      group: 'Open conversation',
      label: 'Block sender…',
      act: { kind: 'press', target: 'block-sender' },
    },
  ];
}

/** Returns the entries that restore the conversations on a page of spam or deleted ones. */
export function restoreEntries(refresh: () => void): MenuEntry[] {
  return restorable.getState().rows.map(({ id, kind, title }) => ({
    id: `restore:${id}`,
    group: 'Inbox',
    label: `${RESTORING[kind].label}: ${title}`,
    act: { kind: 'call', call: () => restore(id, kind, refresh) },
  }));
}

/** Returns the entries that open the form of a workflow command. */
export function commandEntries({
  conversationId,
  commands,
}: Pick<ComposerView, 'conversationId' | 'commands'>): MenuEntry[] {
  return commands.commands.map(({ name }) => ({
    id: `command:${name}`,
    group: 'Open conversation',
    label: `Run /${name}`,
    words: 'command workflow',
    hint: describeRuns(name, commands),
    act: {
      kind: 'call',
      call: () => composer.show(conversationId, { run: { command: name, details: '', isTyped: false } }),
    },
  }));
}

function call(name: string, label: string, act: () => unknown): MenuEntry {
  return { id: `act:${name}`, group: 'Open conversation', label, act: { kind: 'call', call: act } };
}
