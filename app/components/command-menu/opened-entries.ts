import type { MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import { composer } from '#app/components/composer/drafts.ts';
import { describeRuns } from '#app/components/composer/suggest-commands.ts';
import type { ShortcutAct } from '#app/components/shell/shortcut-list.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { OpenedView } from '#server/screens/inbox/views.ts';

/** Returns the entries for the claimed address and the AI agent, whose buttons are in the details. */
export function detailsEntries({ conversation: { claim, isLinked }, agent }: OpenedView): MenuEntry[] {
  const owner = isLinked ? null : claim?.owner;
  return [
    ...(owner ? [inDetails('link-contact', `Link contact to ${owner.name}`)] : []),
    ...(claim && !isLinked ? [inDetails('send-link', 'Send a verification link')] : []),
    ...(isLinked ? [inDetails('unlink-contact', 'Undo link')] : []),
    ...(agent?.mayChange ? [inDetails('agent', `Turn ${agent.silenced ? 'on' : 'off'} AI agent`)] : []),
  ];
}

/** Returns the entries that restore a spam or deleted conversation, and block the sender of spam. */
export function restoreEntry({ conversation: { removal }, actions }: OpenedView): MenuEntry[] {
  if (!removal || actions.problem !== null) return [];
  if (removal.kind === 'deleted') return [entry('restore', 'Restore conversation')];
  return [entry('restore', 'Not spam'), entry('block-sender', 'Block sender…')];
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

function inDetails(target: string, label: string): MenuEntry {
  return entry(target, label, { within: 'details' });
}

function entry(target: string, label: string, where: Pick<Press, 'within'> = {}): MenuEntry {
  return {
    id: `act:${target}`,
    group: 'Open conversation',
    label,
    act: { kind: 'press', target, ...where },
  };
}

type Press = Extract<ShortcutAct, { kind: 'press' }>;
