'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { pressPart, walkList } from '#app/components/shell/press-part.ts';
import { type ShortcutAct, shortcutOf } from '#app/components/shell/shortcut-list.ts';
import { ShortcutsDialog } from '#app/components/shell/shortcuts-dialog.tsx';
import { areShortcutsOn, SHOW_SHORTCUTS } from '#app/components/shell/shortcuts-switch.ts';

/** The second of two keys counts for so long after the first. */
const PREFIX_MS = 1_500;

/** Listens for the keys of `SHORTCUTS` on every page, but not while somebody types or something lies above the page. */
export function Shortcuts() {
  const router = useRouter();
  const [helpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    let prefix: { key: string; at: number } | null = null;
    const run = (act: ShortcutAct): boolean => {
      switch (act.kind) {
        case 'walk':
          return walkList(act.by);
        case 'press':
          if (pressPart(act)) return true;
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
      // A letter that does something must not also be typed into the field that it leads to.
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
  return <ShortcutsDialog control={{ open: helpOpen, onOpenChange: setHelpOpen }} />;
}

/** What takes letters for itself. */
const TYPING = 'input, textarea, select, [contenteditable="true"], [role="combobox"]';
/** What lies above the page while it is open. */
const ABOVE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]:not([hidden])';

function mayAct(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const { target } = event;
  if (target instanceof Element && target.closest(TYPING)) return false;
  if (document.querySelector(ABOVE)) return false;
  // Arrows scroll whatever has the focus, but for the list itself, where they walk.
  if (!event.key.startsWith('Arrow')) return true;
  return (
    target === document.body || (target instanceof Element && target.closest('[data-conversation]') !== null)
  );
}
