import type { ReferenceView } from '#server/screens/docs/views.ts';

type NavItem = { id: string; label: string; method?: string };
export type NavGroup = { title: string; items: NavItem[] };

/** Sections of the guide, in reading order. */
const GUIDE: NavItem[] = [
  { id: 'overview', label: 'Overview' },
  { id: 'connecting', label: 'Connecting' },
  { id: 'tokens', label: 'Tokens' },
  { id: 'calls', label: 'Making a call' },
  { id: 'hooks', label: 'Hooks and deliveries' },
  { id: 'samples', label: 'Samples' },
  { id: 'errors', label: 'Errors' },
  { id: 'limits', label: 'Limits' },
  { id: 'mcp', label: 'AI assistants' },
];

/** Returns the table of contents. */
export function navGroups({ groups, events, records }: ReferenceView): NavGroup[] {
  return [
    { title: 'Guide', items: GUIDE },
    ...groups.map(({ name, operations }) => ({
      title: name,
      items: operations.map(({ id, summary, method }) => ({ id, label: summary, method })),
    })),
    { title: 'Events', items: events.map(({ id, name }) => ({ id, label: name })) },
    { title: 'Records', items: records.map(({ name }) => ({ id: recordAnchor(name), label: name })) },
  ];
}

/** Returns the anchor of a record. Samples are part of the guide. */
export function recordAnchor(record: string): string {
  return record === 'Sample' ? 'samples' : `record-${record}`;
}
