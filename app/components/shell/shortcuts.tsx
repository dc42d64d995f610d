'use client';

import { useRouter } from 'next/navigation';
import { lazy, Suspense, useEffect, useState } from 'react';
import { openNeighbour } from '#app/components/inbox/open-neighbour.ts';
import { focusNextRow, pressTarget } from '#app/components/shell/press-target.ts';
import { type ShortcutAct, shortcutOf } from '#app/components/shell/shortcut-list.ts';
import { areShortcutsOn, SHOW_SHORTCUTS } from '#app/components/shell/shortcuts-switch.ts';

/** Loaded when it is opened first. */
const ShortcutsDialog = lazy(() => import('#app/components/shell/shortcuts-dialog.tsx'));

/** Time limit for the second key of a two-key shortcut, in ms. */
const PREFIX_MS = 1_500;

/** Handles the keys of `SHORTCUTS`, except while typing or while an overlay is open. */
export function Shortcuts() {
  const router = useRouter();
  /** Null until the dialog is opened. */
  const [helpOpen, setHelpOpen] = useState<boolean | null>(null);
  useEffect(() => {
    let prefix: { key: string; at: number } | null = null;
    const run = (act: ShortcutAct): boolean => {
      switch (act.kind) {
        case 'move':
          return openNeighbour(act.by) || focusNextRow(act.by);
        case 'press':
          if (pressTarget(act)) return true;
          if (act.otherwise) router.push(act.otherwise);
          return act.otherwise !== undefined;
        case 'go':
          router.push(act.href);
          return true;
        case 'help':
          setHelpOpen(true);
          return true;
      }
    };
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !mayAct(event)) return;
      const before = prefix && event.timeStamp - prefix.at < PREFIX_MS ? prefix.key : null;
      const { act, prefix: next } = shortcutOf(event.key, before);
      prefix = next === null ? null : { key: next, at: event.timeStamp };
      // Prevent the letter from being typed into the newly focused field.
      if (act && (act.kind === 'help' || areShortcutsOn()) && run(act)) event.preventDefault();
    };
    const show = () => setHelpOpen(true);
    window.addEventListener('keydown', listen);
    window.addEventListener(SHOW_SHORTCUTS, show);
    return () => {
      window.removeEventListener('keydown', listen);
      window.removeEventListener(SHOW_SHORTCUTS, show);
    };
  }, [router]);
  if (helpOpen === null) return null;
  return (
    <Suspense fallback={null}>
      <ShortcutsDialog control={{ open: helpOpen, onOpenChange: setHelpOpen }} />
    </Suspense>
  );
}

/** Elements that receive typed letters. */
const TYPING = 'input, textarea, select, [contenteditable="true"], [role="combobox"]';
/** Open overlays. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]:not([hidden])';

function mayAct(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const { target } = event;
  if (target instanceof Element && target.closest(TYPING)) return false;
  if (document.querySelector(OVERLAYS)) return false;
  // Arrow keys scroll the focused element. In the list they move between rows.
  if (!event.key.startsWith('Arrow')) return true;
  return (
    target === document.body || (target instanceof Element && target.closest('[data-conversation]') !== null)
  );
}
