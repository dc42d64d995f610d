// Loaded together once the page is idle, or with the first use (`lazyParts`).

export { EmptyList } from '#app/components/inbox/empty-list.tsx';
export { FilterChips } from '#app/components/inbox/filter-chips.tsx';
export { FilterForm } from '#app/components/inbox/filter-form.tsx';
export { MarkAllRead } from '#app/components/inbox/mark-all-read.tsx';
export { SetupChecklist } from '#app/components/inbox/setup-checklist.tsx';
