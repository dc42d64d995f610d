import { Suspense } from 'react';
import { FilterPopover } from '#app/components/inbox/filter-popover.tsx';
import { SearchBox } from '#app/components/inbox/search-box.tsx';
import { SortSelect } from '#app/components/inbox/sort-select.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { filtersOf, type InboxView, inboxPath, isSidebarFilter, viewPath } from '#app/lib/inbox-path.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

const listParts = lazyParts(() => import('#app/components/inbox/list-parts.ts'));
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
