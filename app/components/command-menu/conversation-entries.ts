import type { MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import { PREFIXES, typedName } from '#app/components/command-menu/typed-name.ts';
import { savedReplyHint } from '#app/components/composer/create-suggest.ts';
import { insertSavedReply } from '#app/components/composer/insert-saved-reply.ts';
import { changeAssignee, changePriority, changeTeam } from '#app/components/inbox/field-changes.ts';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { changeSelected } from '#app/components/inbox/run-bulk.ts';
import { saveTag } from '#app/components/inbox/save-tag.ts';
import { savedPath, viewPath } from '#app/lib/inbox-path.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import { PRIORITIES } from '#server/screens/inbox/filter-values.ts';
import { tagKey } from '#server/screens/inbox/tag-key.ts';
import type { BulkChange, FoundByName, OpenedView, SavedView } from '#server/screens/inbox/views.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

/** Returns whether a teammate may change the conversation. */
export function mayChange({ conversation, actions }: OpenedView): boolean {
  return actions.problem === null && !conversation.mergedInto && !conversation.removal;
}

/** Returns the entries that change a conversation, with the teammates, teams and tags that match the typed name. */
export function changeEntries(opened: OpenedView, found: FoundByName | undefined, text: string): MenuEntry[] {
  const { id, assignee, team, priority, tags } = opened.conversation;
  const present = new Set(tags.map(tagKey));
  const teammates = found?.teammates.filter((each) => each.isAssignable && each.id !== assignee?.id) ?? [];
  return [
    opensNames('assign', 'Assign to…'),
    ...teammates.map((to) =>
      named(
        to.name,
        change(`assign:${to.id}`, PREFIXES.assign, () => changeAssignee(id, to)),
      ),
    ),
    ...(assignee ? [change('unassign', 'Unassign', () => changeAssignee(id, null))] : []),
    opensNames('team', 'Move to team…'),
    ...(found?.teams ?? [])
      .filter((each) => each.id !== team?.id)
      .map((to) =>
        named(
          to.name,
          change(`team:${to.id}`, PREFIXES.team, () => changeTeam(id, to)),
        ),
      ),
    ...(team ? [change('no-team', `Remove from team ${team.name}`, () => changeTeam(id, null))] : []),
    { ...opensNames('tag', 'Add tag…'), keys: ['t'] },
    ...offeredTags(found, text)
      .filter((tag) => !present.has(tagKey(tag)))
      .map((tag) =>
        named(
          tag,
          change(`tag:${tagKey(tag)}`, PREFIXES.tag, () => saveTag(id, tag, 'add')),
        ),
      ),
    ...tags.map((tag) =>
      change(`untag:${tagKey(tag)}`, `Remove tag ${tag}`, () => saveTag(id, tag, 'remove')),
    ),
    ...PRIORITIES.filter((to) => to !== priority).map((to) =>
      change(`priority:${to}`, `Set priority: ${priorityNames[to]}`, () => changePriority(id, to)),
    ),
  ];
}

/** Returns the entries that change the selected conversations, with the names that match the typed one. */
export function bulkEntries(found: FoundByName | undefined, text: string): MenuEntry[] {
  const teammates = found?.teammates.filter(({ isAssignable }) => isAssignable) ?? [];
  const entries = [
    opensNames('assign', 'Assign to…'),
    ...teammates.map(({ id, name }) =>
      named(
        name,
        changeSelection(
          `assign:${id}`,
          PREFIXES.assign,
          { kind: 'assignee', assigneeId: id },
          `assigned to ${name}`,
        ),
      ),
    ),
    changeSelection('unassign', 'Unassign', { kind: 'assignee', assigneeId: null }, 'unassigned'),
    opensNames('team', 'Move to team…'),
    ...(found?.teams ?? []).map(({ id, name }) =>
      named(
        name,
        changeSelection(
          `team:${id}`,
          PREFIXES.team,
          { kind: 'team', teamId: id },
          `moved to the team ${name}`,
        ),
      ),
    ),
    changeSelection('no-team', 'Remove from team', { kind: 'team', teamId: null }, 'removed from their team'),
    { ...opensNames('tag', 'Add tag…'), keys: ['t'] },
    ...offeredTags(found, text).map((tag) =>
      named(
        tag,
        changeSelection(`tag:${tagKey(tag)}`, PREFIXES.tag, { kind: 'tags', tags: [tag] }, `tagged ${tag}`),
      ),
    ),
  ];
  return entries.map((entry) => ({ ...entry, group: 'Selected conversations' }));
}

function changeSelection(id: string, label: string, to: BulkChange, words: string): MenuEntry {
  const call = () => changeSelected(to, words);
  return { id, group: 'Selected conversations', label, act: { kind: 'call', call } };
}

/** Returns the tags that match the typed name, and the typed name if it is a new tag. */
function offeredTags(found: FoundByName | undefined, text: string): string[] {
  const name = text.toLowerCase().startsWith(PREFIXES.tag.toLowerCase()) ? typedName(text) : '';
  const known = found?.tags ?? [];
  const isNew = name !== '' && !known.some((tag) => tagKey(tag) === tagKey(name));
  return isNew ? [...known, name] : known;
}

/** Returns the entries that open the saved views. */
export function savedViewEntries(views: SavedView[]): MenuEntry[] {
  return views.map(({ id, name, filters }) => ({
    id: `view:${id}`,
    group: 'Inbox',
    label: `${PREFIXES.savedView}${name}`,
    name,
    act: { kind: 'go', href: savedPath(filters) },
  }));
}

/** Returns the entries that list the conversations of a teammate, a team or a tag. */
export function listEntries(found: FoundByName | undefined): MenuEntry[] {
  const view = (id: string, label: string, filters: Parameters<typeof viewPath>[0]): MenuEntry => ({
    id,
    group: 'Inbox',
    label,
    act: { kind: 'go', href: viewPath(filters) },
  });
  return [
    { ...opensNames('teammateView', 'Conversations assigned to…'), group: 'Inbox' },
    ...(found?.teammates ?? []).map(({ id, name }) =>
      named(name, view(`of:${id}`, PREFIXES.teammateView, { assignee: id })),
    ),
    { ...opensNames('teamView', 'Conversations in team…'), group: 'Inbox' },
    ...(found?.teams ?? []).map(({ id, name }) =>
      named(name, view(`of-team:${id}`, PREFIXES.teamView, { team: id })),
    ),
    { ...opensNames('tagView', 'Conversations with tag…'), group: 'Inbox' },
    ...(found?.tags ?? []).map((tag) => named(tag, view(`with:${tagKey(tag)}`, PREFIXES.tagView, { tag }))),
  ];
}

/**
 * Returns the saved replies that the server found for the typed name.
 * @param found the typed name, which the server also finds by other forms of its words
 */
export function savedReplyEntries(
  view: ComposerView,
  offered: OfferedSavedReply[],
  found: string,
): MenuEntry[] {
  return [
    opensNames('savedReply', 'Insert saved reply…'),
    ...offered.map(
      (saved): MenuEntry => ({
        id: `saved-reply:${saved.id}`,
        group: 'Saved replies',
        label: saved.name,
        // The server also searches the content.
        words: `${PREFIXES.savedReply}${saved.folder} ${saved.content} ${found}`,
        hint: savedReplyHint(saved),
        act: { kind: 'call', call: () => insertSavedReply(view, saved) },
      }),
    ),
  ];
}

function opensNames(prefix: keyof typeof PREFIXES, label: string): MenuEntry {
  return {
    id: `name:${prefix}`,
    group: 'Open conversation',
    label,
    act: { kind: 'type', text: PREFIXES[prefix] },
  };
}

/** Adds a name to an entry, after the prefix that is its label. */
function named(name: string, entry: MenuEntry): MenuEntry {
  return { ...entry, label: entry.label + name, name };
}

function change(id: string, label: string, call: () => unknown): MenuEntry {
  return { id, group: 'Open conversation', label, act: { kind: 'call', call } };
}
