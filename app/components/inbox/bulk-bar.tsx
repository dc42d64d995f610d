'use client';

import { Ban, Check, CircleDot, RotateCcw, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { AssignSelected, AssignSelectedToMe } from '#app/components/inbox/bulk-assign.tsx';
import { BulkButton, BulkLabel } from '#app/components/inbox/bulk-button.tsx';
import { MergeSelected } from '#app/components/inbox/bulk-merge.tsx';
import { SnoozeSelected, TagSelected } from '#app/components/inbox/bulk-popovers.tsx';
import {
  type BulkRun,
  type ChangeSelected,
  changeSelected,
  stopRun,
  useBulkRun,
} from '#app/components/inbox/run-bulk.ts';
import type { SelectableList } from '#app/components/inbox/selectable-rows.tsx';
import {
  retainListed,
  SELECTED_MAX,
  type Selection,
  select,
  selectListed,
  selectWholeView,
  useSelection,
} from '#app/components/inbox/selection.ts';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Button, IconButton } from '#app/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#app/components/ui/dropdown-menu.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { cx } from '#app/lib/cx.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { type InboxView, listInput } from '#app/lib/inbox-path.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';

const STATUSES = { open: 'reopened', pending: 'set to pending', solved: 'solved' } as const;

/**
 * Bar below the list while conversations are selected or being changed. Its `data-shortcut` buttons come before those of
 * the open conversation, so that the keys act on the selection.
 */
export default function BulkBar({ rows, of, hasMore }: SelectableList) {
  const selection = useSelection();
  const run = useBulkRun();
  useEffect(() => retainListed(rows.map(({ id }) => id)), [rows]);
  // Another list starts without a selection.
  useEffect(() => () => select([]), []);
  if (!selection.isOn && !run) return null;
  return <Bar rows={rows} of={of} hasMore={hasMore} selection={selection} run={run} />;
}

type Props = SelectableList & { selection: Selection; run: BulkRun | null };

function Bar({ rows, of, hasMore, selection, run }: Props) {
  const { ids, isWholeView } = selection;
  const selected = rows.filter(({ id }) => ids.has(id));
  const isAll = rows.length > 0 && selected.length === Math.min(rows.length, SELECTED_MAX);
  const bar = useRef<HTMLElement>(null);
  useReturnFocus(bar);
  const isBusy = run !== null || ids.size === 0;
  const change: ChangeSelected = (to, words) => {
    if (!isBusy) void changeSelected(to, words);
  };
  const isSolved = selected.length > 0 && selected.every(({ status }) => status === 'solved');
  const setStatus = (status: keyof typeof STATUSES) => change({ kind: 'status', status }, STATUSES[status]);
  return (
    <section
      ref={bar}
      aria-label="Selected conversations"
      aria-busy={run !== null}
      data-bulk-bar
      className="relative shrink-0 border-t bg-surface px-2 pt-1 pb-1.5"
    >
      {run ? (
        <progress
          aria-label="Changing conversations"
          value={run.done}
          max={run.total}
          className="bulk-progress"
        />
      ) : null}
      <div className="flex items-center gap-2 pl-1 text-list">
        <SelectAll rows={rows} count={ids.size} isAll={isAll} />
        <p className="tabular min-w-0 grow truncate font-medium">
          {run
            ? `Changing ${run.done} of ${pluralize(run.total, 'conversation')}`
            : `${ids.size.toLocaleString('en-GB')} selected${ids.size === SELECTED_MAX ? ' (maximum)' : ''}`}
        </p>
        {isAll && hasMore && !isWholeView && !run ? <SelectWholeView of={of} /> : null}
        <IconButton
          icon={X}
          label={run ? 'Stop' : 'Clear selection'}
          data-shortcut="clear-selection back"
          onClick={() => (run ? stopRun() : select([]))}
        />
      </div>
      <fieldset
        aria-label="Actions"
        disabled={ids.size === 0 && !run}
        className={cx('bulk-buttons', isBusy && 'opacity-60')}
      >
        <BulkButton
          icon={isSolved ? RotateCcw : Check}
          label={isSolved ? 'Reopen selected' : 'Solve selected'}
          word={isSolved ? 'Reopen' : 'Solve'}
          data-shortcut="solve"
          onClick={() => setStatus(isSolved ? 'open' : 'solved')}
        />
        <DropdownMenu>
          <DropdownMenuTrigger
            aria-label="Change status of selected"
            data-shortcut="status"
            className="icon-button bulk-button"
          >
            <BulkLabel icon={CircleDot} word="Status" />
          </DropdownMenuTrigger>
          <DropdownMenuContent side="top" className="min-w-40">
            {(['open', 'pending', 'solved'] as const).map((status) => (
              <DropdownMenuItem key={status} onSelect={() => setStatus(status)}>
                <ConversationStatusDot status={status} />
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
        <AssignSelected onChange={change} />
        <AssignSelectedToMe onChange={change} />
        <TagSelected onChange={change} />
        <SnoozeSelected onChange={change} />
        <MergeSelected selected={isWholeView ? [] : selected} />
        <BulkButton
          icon={Ban}
          label="Mark selected as spam"
          word="Spam"
          data-shortcut="spam"
          onClick={() => change({ kind: 'spam' }, 'marked as spam')}
        />
      </fieldset>
    </section>
  );
}

/** Selects all conversations that the list has loaded, or none. */
function SelectAll({ rows, count, isAll }: { rows: InboxRow[]; count: number; isAll: boolean }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !isAll;
  });
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Select all listed conversations"
      title="Select all listed conversations"
      checked={isAll}
      onChange={() => selectListed(isAll ? [] : rows.map(({ id }) => id))}
      className="size-4 shrink-0 accent-accent max-md:size-5"
    />
  );
}

/** Moves the focus to the list when the bar that has it disappears. */
function useReturnFocus(bar: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const shown = bar.current;
    return () => {
      if (!shown?.contains(document.activeElement)) return;
      const list = document.querySelector('[data-conversation-list]');
      const row = list?.querySelector<HTMLElement>('[aria-current="true"]') ?? list?.querySelector('a');
      row?.focus({ preventScroll: true });
    };
  }, [bar]);
}

/** Button that selects every conversation of a view, up to the maximum, without rendering their rows. */
function SelectWholeView({ of }: { of: InboxView }) {
  const screens = useScreens();
  const [loading, setLoading] = useState(false);
  const load = async () => {
    setLoading(true);
    try {
      const isSelected = await selectWholeView((cursor) =>
        screens.inbox.list.query({ ...listInput(of), cursor, rows: PAGE_ROWS }),
      );
      if (!isSelected) setLoading(false);
    } catch (error) {
      toast.error('Could not select all in this view', { description: queryErrorMessage(error) });
      setLoading(false);
    }
  };
  return (
    <Button variant="quiet" data-shortcut="select-view" aria-busy={loading} onClick={() => void load()}>
      {loading ? 'Selecting' : 'Select all in view'}
    </Button>
  );
}

const PAGE_ROWS = 300;
