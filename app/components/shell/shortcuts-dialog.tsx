'use client';

import { useState } from 'react';
import { Keys } from '#app/components/shell/keys.tsx';
import { keyName, SHORTCUTS, type Shortcut } from '#app/components/shell/shortcut-list.ts';
import { areShortcutsOn, switchShortcuts } from '#app/components/shell/shortcuts-switch.ts';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';

/** Keys that the focused row or text box handles, by area. */
const LISTED_ONLY: Record<string, Omit<Shortcut, 'act'>[]> = {
  List: [{ keys: ['Enter'], label: 'Open the focused conversation' }],
  'Open conversation': [
    { keys: ['Mod+Enter'], label: 'Send reply or add note' },
    { keys: ['Mod+Shift+Enter'], label: 'Send later' },
    { keys: ['Mod+Alt+Enter'], label: 'Send and solve' },
  ],
};

type Props = { control: { open: boolean; onOpenChange: (open: boolean) => void } };

/** Lists all shortcuts, with a switch to turn them off. */
export function ShortcutsDialog({ control }: Props) {
  return (
    <Dialog control={control} title="Keyboard shortcuts" wide>
      <div className="gap-8 sm:columns-2">
        {SHORTCUTS.map(({ about, shortcuts }, index) => (
          <section key={about} aria-labelledby={`shortcuts-${index}`} className="mb-6 break-inside-avoid">
            <h3 id={`shortcuts-${index}`} className="mb-2 text-sm">
              {about}
            </h3>
            <dl className="grid gap-1.5 text-list">
              {[...shortcuts, ...(LISTED_ONLY[about] ?? [])].map(({ keys, label }) => (
                <div key={label} className="flex items-center justify-between gap-4">
                  <dt className="text-ink-soft">{label}</dt>
                  <dd className="flex shrink-0 items-center gap-1">
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="border-t pt-4">
        <Switch />
      </div>
    </Dialog>
  );
}

function Switch() {
  const [on, setOn] = useState(areShortcutsOn);
  return (
    <Checkbox
      label="Use these shortcuts"
      hint={`Applies to this browser. Tab, ?, ${keyName('Mod+k')} and ${keyName('Mod+Enter')} work without shortcuts, too.`}
      checked={on}
      onChange={({ currentTarget }) => {
        setOn(currentTarget.checked);
        switchShortcuts(currentTarget.checked);
      }}
    />
  );
}
