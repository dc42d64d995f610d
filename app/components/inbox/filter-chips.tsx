import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { fieldsQuery } from '#app/components/custom-fields/fields-queries.ts';
import { conditionWords } from '#app/components/inbox/field-words.ts';
import {
  ageNames,
  replyNames,
  slaNames,
  unlistedNames,
  verifiedNames,
} from '#app/components/inbox/filter-names.ts';
import { useFilterChoices } from '#app/components/inbox/inbox-hooks.ts';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { SavedViewControls } from '#app/components/saved-views/saved-view-controls.tsx';
import { InboxLink } from '#app/components/view/inbox-view.tsx';
import {
  filtersOf,
  type InboxFilters,
  type InboxView,
  inboxPath,
  isSidebarFilter,
} from '#app/lib/inbox-path.ts';
import type { CustomField } from '#server/screens/fields/views.ts';
import {
  type FieldCondition,
  parseFieldConditions,
  writeFieldConditions,
} from '#server/screens/inbox/field-conditions.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

type Props = { view: InboxView; choices: Promise<FilterChoices>; mayShare: boolean };

/** Active filters, each removable. */
export function FilterChips({ view, choices, mayShare }: Props) {
  const conditions = parseFieldConditions(view.fields ?? '');
  const { data } = useQuery({ ...fieldsQuery(useScreens()), enabled: conditions.length > 0 });
  const chips = [
    ...chipsOf(view, useFilterChoices(choices)),
    // Without the fields, their names are unknown.
    ...(data ? conditionChips(conditions, data.fields) : []),
  ];
  const { status, selected, sort, search } = view;
  const controls = <SavedViewControls view={view} mayShare={mayShare} />;
  // A status, an order or a search has no chip.
  if (chips.length === 0) return <div className="flex flex-wrap empty:hidden">{controls}</div>;
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-1">
      {chips.map(({ key, words, others }) => (
        <li key={key} className="min-w-0">
          <InboxLink
            href={inboxPath({ ...view, ...others })}
            title={`Remove this filter: ${words}`}
            className="inline-flex h-6 max-w-full items-center gap-1 rounded-md bg-accent-soft pr-1 pl-2 font-medium text-accent-ink text-xs hover:underline max-md:h-11 max-md:pr-2"
          >
            <span className="sr-only">Remove filter: </span>
            <bdi className="truncate">{words}</bdi>
            <X aria-hidden size={14} className="shrink-0" />
          </InboxLink>
        </li>
      ))}
      {chips.length > 1 ? (
        <li>
          <InboxLink
            href={inboxPath({ status, selected, sort, search })}
            className="inline-flex h-6 items-center rounded-md px-2 text-ink-soft text-xs hover:bg-hover hover:text-ink max-md:h-11"
          >
            Clear
          </InboxLink>
        </li>
      ) : null}
      <li className="min-w-0">{controls}</li>
    </ul>
  );
}

/** `others`: the filters that replace those of the view without this one. */
type Chip = { key: string; words: string; others: InboxFilters };

function conditionChips(conditions: FieldCondition[], fields: CustomField[]): Chip[] {
  return conditions.map((condition, at) => ({
    key: `field ${at}`,
    words: conditionWords(
      condition,
      fields.find(({ id }) => id === condition.fieldId),
    ),
    others: { fields: writeFieldConditions(conditions.toSpliced(at, 1)) },
  }));
}

function chipsOf(view: InboxView, { teams, teammates }: FilterChoices): Chip[] {
  const { assignee, team, channel, priority, sla, verified, active, created, reply, unread, snoozed, tag } =
    view;
  const chips: { key: keyof InboxFilters; words: string }[] = [];
  if (isSidebarFilter(filtersOf(view))) return [];
  if (assignee) chips.push({ key: 'assignee', words: assigneeWords(assignee, teammates) });
  if (team) chips.push({ key: 'team', words: teamWords(team, teams) });
  if (channel) chips.push({ key: 'channel', words: channels[channel].name });
  if (priority) chips.push({ key: 'priority', words: `${priorityNames[priority]} priority` });
  if (sla) chips.push({ key: 'sla', words: slaNames[sla] });
  if (verified) chips.push({ key: 'verified', words: verifiedNames[verified] });
  if (active) chips.push({ key: 'active', words: `Last message: ${lowerFirst(ageNames[active])}` });
  if (created) chips.push({ key: 'created', words: `Created: ${lowerFirst(ageNames[created])}` });
  if (reply) chips.push({ key: 'reply', words: replyNames[reply] });
  if (unread) chips.push({ key: 'unread', words: 'Unread' });
  if (snoozed) chips.push({ key: 'snoozed', words: 'Snoozed' });
  if (tag) chips.push({ key: 'tag', words: `Tag ${tag}` });
  return chips.map((chip) => ({ ...chip, others: { [chip.key]: undefined } }));
}

function assigneeWords(assignee: string, teammates: FilterChoices['teammates']): string {
  if (assignee === 'me') return 'Assigned to me';
  if (assignee === 'unassigned') return 'Unassigned';
  return nameOf(assignee, teammates) ?? unlistedNames.assignee;
}

function teamWords(team: string, teams: FilterChoices['teams']): string {
  const name = nameOf(team, teams);
  return name === undefined ? unlistedNames.team : `Team ${name}`;
}

function nameOf(id: string, all: { id: string; name: string }[]): string | undefined {
  return all.find((one) => one.id === id)?.name;
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
