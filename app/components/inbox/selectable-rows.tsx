'use client';

import { type MouseEvent, useState } from 'react';
import {
  type Selection,
  selectRange,
  startSelecting,
  toggle,
  useSelection,
} from '#app/components/inbox/selection.ts';
import { Button } from '#app/components/ui/button.tsx';
import { lazyPart } from '#app/components/ui/lazy-part.tsx';
import type { InboxView } from '#app/lib/inbox-path.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';

const BulkBar = lazyPart(() => import('#app/components/inbox/bulk-bar.tsx'));

/** Handles a click in the list: of a checkbox, of a row with Shift, or a tap on a row while checkboxes are shown. */
export function selectOnClick(event: MouseEvent, rows: InboxRow[], { isOn }: Selection): void {
  const { target, shiftKey } = event;
  if (!(target instanceof Element)) return;
  const isBox = target.matches('.row-select > input');
  const isTap = isOn && window.matchMedia('(hover: none)').matches;
  const row = target.closest('li')?.querySelector<HTMLElement>('[data-conversation]');
  const id = row?.dataset.conversation;
  if (id === undefined || !(isBox || (row?.contains(target) && (shiftKey || isTap)))) return;
  if (!isBox) event.preventDefault();
  if (shiftKey)
    selectRange(
      id,
      rows.map((each) => each.id),
    );
  else toggle(id);
}

type SelectRowProps = {
  row: InboxRow;
  checked: boolean;
  /** The key that selects presses the checkbox of the open conversation. */
  isOpen: boolean;
};

/** Checkbox of a row, shown on hover and while conversations are selected. */
export function SelectRow({ row: { contactName }, checked, isOpen }: SelectRowProps) {
  return (
    <label className="row-select">
      <input
        type="checkbox"
        aria-label={`Select the conversation with ${contactName ?? 'an unknown contact'}`}
        data-shortcut={isOpen ? 'select' : undefined}
        checked={checked}
        // The list handles the click.
        onChange={() => {}}
      />
    </label>
  );
}

/** `of`: the view of the rows. */
export type SelectableList = { rows: InboxRow[]; of: InboxView; hasMore: boolean };

/** Announces the number of selected conversations and shows their bar. */
export function SelectionBar(list: SelectableList) {
  const { ids, isOn } = useSelection();
  const [wasOn, setWasOn] = useState(isOn);
  if (isOn && !wasOn) setWasOn(true);
  return (
    <>
      <p role="status" className="sr-only">
        {ids.size > 0 ? `${ids.size} selected` : ''}
      </p>
      {wasOn ? <BulkBar {...list} /> : null}
    </>
  );
}

/** Shows the checkboxes on screens without a pointer that hovers. */
export function SelectButton() {
  return (
    <Button variant="quiet" className="select-button" onClick={startSelecting}>
      Select
    </Button>
  );
}
