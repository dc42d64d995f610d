'use client';

import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { lazyParts, loading } from '#app/components/ui/lazy-part.tsx';
import { CountBadge, Popover } from '#app/components/ui/popover.tsx';
import { filtersOf, type InboxView, isSidebarFilter } from '#app/lib/inbox-path.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

const listParts = lazyParts(() => import('#app/components/inbox/list-parts.ts'));
const FilterForm = listParts('FilterForm', loading);

type Props = { view: InboxView; choices: Promise<FilterChoices> };

/** Button that shows the number of active filters besides that of a sidebar view, and opens a panel to change them. */
export function FilterPopover({ view, choices }: Props) {
  const [open, setOpen] = useState(false);
  const { search: _search, ...filters } = filtersOf(view);
  const count = isSidebarFilter(filtersOf(view)) ? 0 : Object.keys(filters).length;
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
