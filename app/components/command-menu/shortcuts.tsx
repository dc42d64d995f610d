'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useState } from 'react';
import type { MenuUser } from '#app/components/command-menu/use-menu-entries.ts';
import { holdsCommandKey } from '#app/components/shell/command-key.ts';
import { type ShortcutAct, shortcutOf } from '#app/components/shell/shortcut-list.ts';
import { areShortcutsOn, onShow, type ShortcutOverlay } from '#app/components/shell/shortcuts-switch.ts';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { focusNextRow, pressTarget, pressUndo } from '#app/components/ui/press-target.ts';
import { showInbox } from '#app/components/view/inbox-view.tsx';
import { openNeighbour } from '#app/components/view/open-neighbour.ts';
import { isComposing } from '#app/lib/is-composing.ts';

const rareParts = lazyParts(() => import('#app/components/shell/rare-parts.ts'));
const ShortcutsDialog = rareParts('ShortcutsDialog');
const menu = lazyParts(() => import('#app/components/command-menu/command-menu.tsx'));
const CommandMenu = menu('CommandMenu');

/** Time limit for the second key of a two-key shortcut, in ms. */
const PREFIX_MS = 1_500;

/** Handles the keys of `SHORTCUTS`, except while typing or while an overlay is open. */
export function Shortcuts({ user }: { user: MenuUser }) {
  const router = useRouter();
  /** The overlay that was opened last, and whether it is open. */
  const [shown, setShown] = useState<{ overlay: ShortcutOverlay; open: boolean } | null>(null);
  /** Returns whether the action was possible. */
  const run = (act: ShortcutAct): boolean => {
    switch (act.kind) {
      case 'move':
        return openNeighbour(act.by) || focusNextRow(act.by);
      case 'press':
        if (pressTarget(act)) return true;
        if (typeof act.otherwise === 'function') return act.otherwise();
        if (act.otherwise) router.push(act.otherwise);
        return act.otherwise !== undefined;
      case 'go':
        if (window.location.pathname === '/inbox' && /^\/inbox(\?|$)/.test(act.href)) showInbox(act.href);
        else router.push(act.href);
        return true;
      case 'undo':
        return pressUndo();
      case 'help':
      case 'menu':
        setShown({ overlay: act.kind, open: true });
        return true;
    }
  };
  const runKey = useEffectEvent(run);
  useEffect(() => {
    let prefix: { key: string; at: number } | null = null;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !mayAct(event)) return;
      const before = prefix && event.timeStamp - prefix.at < PREFIX_MS ? prefix.key : null;
      const { act, prefix: next } = shortcutOf(chordOf(event), before);
      prefix = next === null ? null : { key: next, at: event.timeStamp };
      // In a text field, the browser undoes typing.
      if (act?.kind === 'undo' && isTyping(event)) return;
      const isAlwaysOn = act !== null && ALWAYS_ON.has(act.kind);
      // Prevent the letter from being typed into the newly focused field.
      if (act && (isAlwaysOn || areShortcutsOn()) && runKey(act)) event.preventDefault();
    };
    const stopListening = onShow((overlay) => runKey({ kind: overlay }));
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
      stopListening();
    };
  }, []);
  if (shown === null) return null;
  const control = { open: shown.open, onOpenChange: (open: boolean) => setShown({ ...shown, open }) };
  if (shown.overlay === 'help') return <ShortcutsDialog control={control} />;
  return <CommandMenu control={control} user={user} run={run} />;
}

/** Kinds of actions that also work while shortcuts are turned off. */
const ALWAYS_ON: ReadonlySet<ShortcutAct['kind']> = new Set(['help', 'menu', 'undo']);

/** Elements that receive typed letters. */
const TYPING = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="combobox"]';
const DIALOGS = '[role="dialog"], [role="alertdialog"], [role="menu"]';
/** Open overlays. */
const OVERLAYS = `${DIALOGS}, [role="listbox"]:not([hidden])`;

/** Returns a key or combination as in `SHORTCUTS`. Empty: a combination of the browser's. */
function chordOf(event: KeyboardEvent): string {
  const { key, ctrlKey, metaKey } = event;
  if (!ctrlKey && !metaKey) return key;
  return holdsCommandKey(event) ? `Mod+${key}` : '';
}

function mayAct(event: KeyboardEvent): boolean {
  if (event.altKey || isComposing(event)) return false;
  // Chords type no letters, so they also work in a text box and above its suggestions.
  if (event.ctrlKey || event.metaKey) return !document.querySelector(DIALOGS);
  if (isTyping(event)) return false;
  if (document.querySelector(OVERLAYS)) return false;
  // Arrow keys scroll the focused element. In the list they move between rows.
  if (!event.key.startsWith('Arrow')) return true;
  const { target } = event;
  return (
    target === document.body || (target instanceof Element && target.closest('[data-conversation]') !== null)
  );
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(TYPING) !== null;
}
