export { BulkBar } from '#app/components/inbox/bulk-bar.tsx';
export { selectRange, startSelecting, toggle } from '#app/components/inbox/select.ts';
