'use client';

import { ListFilter } from 'lucide-react';
import { Suspense, useState } from 'react';
import { SearchBox } from '#app/components/inbox/search-box.tsx';
import { SortSelect } from '#app/components/inbox/sort-select.tsx';
import { IconButton } from '#app/components/ui/button.tsx';
import { lazyParts, loading } from '#app/components/ui/lazy-part.tsx';
import { CountBadge, Popover } from '#app/components/ui/popover.tsx';
import { filtersOf, type InboxView, inboxPath, isSidebarFilter, viewPath } from '#app/lib/inbox-path.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

const listParts = lazyParts(() => import('#app/components/inbox/list-parts.ts'));
const FilterForm = listParts('FilterForm', loading);
const FilterChips = listParts('FilterChips');

/** Returns whether the sidebar links to a view, whose name it shows then. */
function isSidebarView(view: InboxView): boolean {
  const filters = filtersOf(view);
  return isSidebarFilter(filters) && inboxPath({ ...view, selected: undefined }) === viewPath(filters);
}

type Props = { view: InboxView; choices: Promise<FilterChoices>; mayShare: boolean };

/** Search, order and filters. Keeps its state while the list changes. Any view but those of the sidebar can be saved. */
export function FilterBar({ view, choices, mayShare }: Props) {
  return (
    <div className="grid gap-2 px-2.5 pb-2">
      <div className="flex gap-1.5">
        <SearchBox view={view} />
        <SortSelect view={view} />
        <Suspense fallback={<span className="size-9 shrink-0 max-md:size-11" />}>
          <FilterPopover view={view} choices={choices} />
        </Suspense>
      </div>
      {isSidebarView(view) ? null : (
        <Suspense fallback={<span className="h-6 max-md:h-9" />}>
          <FilterChips view={view} choices={choices} mayShare={mayShare} />
        </Suspense>
      )}
    </div>
  );
}

type FilterPopoverProps = { view: InboxView; choices: Promise<FilterChoices> };

/** Button that shows the number of active filters besides that of a sidebar view, and opens a panel to change them. */
function FilterPopover({ view, choices }: FilterPopoverProps) {
  const [open, setOpen] = useState(false);
  const { search: _search, fields, ...filters } = filtersOf(view);
  const conditions = fields?.split(',').length ?? 0;
  const count = isSidebarFilter(filtersOf(view)) ? 0 : Object.keys(filters).length + conditions;
  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={
        <IconButton
          icon={ListFilter}
          data-shortcut="filter"
          label={count === 0 ? 'Filter' : `Filter, ${count} active`}
          className="size-9 border border-line-control max-md:size-11"
        />
      }
      badge={<CountBadge count={count} className="-top-1 -right-1" />}
      aria-label="Filter"
      align="end"
      className="z-40 w-96 overflow-y-auto p-4"
    >
      <FilterForm view={view} choices={choices} onDone={() => setOpen(false)} />
    </Popover>
  );
}
