import type { ReferenceView } from '#server/screens/docs/views.ts';

type NavItem = { id: string; label: string; method?: string };
export type NavGroup = { title: string; items: NavItem[] };

/** Sections of the guides, in reading order. */
export const AUTOMATION_GUIDE: NavItem[] = [
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

export const DEVELOPER_GUIDE: NavItem[] = [
  { id: 'overview', label: 'Overview' },
  { id: 'tokens', label: 'Tokens' },
  { id: 'lists', label: 'Lists' },
  { id: 'writing', label: 'Writing' },
  { id: 'errors', label: 'Errors and limits' },
  { id: 'versions', label: 'Changes and deprecation' },
  { id: 'webhooks', label: 'Webhooks' },
];

/** Returns the table of contents. */
export function navGroups({ groups, events, records }: ReferenceView, guide: NavItem[]): NavGroup[] {
  return [
    { title: 'Guide', items: guide },
    ...groups.map(({ name, operations }) => ({
      title: name,
      items: operations.map(({ id, summary, method }) => ({ id, label: summary, method })),
    })),
    ...(events.length === 0
      ? []
      : [{ title: 'Events', items: events.map(({ id, name }) => ({ id, label: name })) }]),
    { title: 'Records', items: records.map(({ name }) => ({ id: recordAnchor(name), label: name })) },
  ];
}

/** Returns the anchor of a record. Samples are part of the guide. */
export function recordAnchor(record: string): string {
  return record === 'Sample' ? 'samples' : `record-${record}`;
}
