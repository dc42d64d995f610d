/** Where the page describes a record. The guide describes samples. */
export function recordAnchor(record: string): string {
  return record === 'Sample' ? 'samples' : `record-${record}`;
}
