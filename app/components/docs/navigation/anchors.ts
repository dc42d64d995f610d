/** Where a record is told on the page. Samples are told in the guide. */
export function recordAnchor(record: string): string {
  return record === 'Sample' ? 'samples' : `record-${record}`;
}
