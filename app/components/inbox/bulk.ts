export { BulkBar } from '#app/components/inbox/bulk-bar.tsx';
export { undoOne } from '#app/components/inbox/run-bulk.ts';
