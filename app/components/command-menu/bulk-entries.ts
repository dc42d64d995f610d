import { named, offeredTags, opensNames } from '#app/components/command-menu/conversation-entries.ts';
import type { MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import { PREFIXES } from '#app/components/command-menu/typed-name.ts';
import { changeSelected } from '#app/components/inbox/run-bulk.ts';
import { tagKey } from '#server/screens/inbox/tag-key.ts';
import type { BulkChange, FoundByName } from '#server/screens/inbox/views.ts';

/** Returns the entries that change the selected conversations, with the names that match the typed one. */
export function bulkEntries(found: FoundByName | undefined, text: string): MenuEntry[] {
  const teammates = found?.teammates.filter(({ isAssignable }) => isAssignable) ?? [];
  const entries = [
    opensNames('assign', 'Assign to…'),
    ...teammates.map(({ id, name }) =>
      named(
        name,
        change(`assign:${id}`, PREFIXES.assign, { kind: 'assignee', assigneeId: id }, `assigned to ${name}`),
      ),
    ),
    change('unassign', 'Unassign', { kind: 'assignee', assigneeId: null }, 'unassigned'),
    opensNames('team', 'Move to team…'),
    ...(found?.teams ?? []).map(({ id, name }) =>
      named(
        name,
        change(`team:${id}`, PREFIXES.team, { kind: 'team', teamId: id }, `moved to the team ${name}`),
      ),
    ),
    change('no-team', 'Remove from team', { kind: 'team', teamId: null }, 'removed from their team'),
    { ...opensNames('tag', 'Add tag…'), keys: ['t'] },
    ...offeredTags(found, text).map((tag) =>
      named(tag, change(`tag:${tagKey(tag)}`, PREFIXES.tag, { kind: 'tags', tags: [tag] }, `tagged ${tag}`)),
    ),
  ];
  return entries.map((entry) => ({ ...entry, group: 'Selected conversations' }));
}

function change(id: string, label: string, to: BulkChange, words: string): MenuEntry {
  const call = () => changeSelected(to, words);
  return { id, group: 'Selected conversations', label, act: { kind: 'call', call } };
}
