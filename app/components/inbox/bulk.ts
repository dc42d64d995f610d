export { BulkBar } from '#app/components/inbox/bulk-bar.tsx';
export { undoOne } from '#app/components/inbox/run-bulk.ts';
export { selectRange, toggle } from '#app/components/inbox/select.ts';
