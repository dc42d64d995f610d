import { firstParam } from '#app/lib/first-param.ts';
import {
  AGES,
  type Age,
  PRIORITIES,
  SLA_STATES,
  type SlaState,
} from '#server/screens/inbox/filter-values.ts';
import type {
  Channel,
  ConversationStatus,
  InboxOrder,
  OrderedInput,
  Priority,
} from '#server/screens/inbox/views.ts';
import { CHANNEL_LIST } from '#server/screens/settings/channel-views.ts';

/** Statuses in the order of the tabs. */
export const inboxStatuses = ['open', 'pending', 'solved', 'closed', 'all'] as const;

export type InboxStatus = ConversationStatus | 'all';

/** Filters besides the status, combined with AND. */
export type InboxFilters = {
  /** `me`, `unassigned`, or a teammate's id. */
  assignee?: string | undefined;
  /** A team's id. */
  team?: string | undefined;
  channel?: Channel | undefined;
  priority?: Priority | undefined;
  /** State of the next running SLA clock. */
  sla?: SlaState | undefined;
  /** `no`: only conversations that are marked as “not verified”. */
  verified?: 'yes' | 'no' | undefined;
  /** Age of the last message. */
  active?: Age | undefined;
  created?: Age | undefined;
  /** `failed`: only conversations whose last reply did not reach the contact. `scheduled`: with a reply that is sent later. */
  reply?: 'failed' | 'scheduled' | undefined;
  /** Only snoozed conversations. */
  snoozed?: 'yes' | undefined;
  /** Only conversations that are unread for the teammate. */
  unread?: 'yes' | undefined;
  tag?: string | undefined;
  /** Conditions on custom fields, as `writeFieldConditions` writes them. */
  fields?: string | undefined;
  search?: string | undefined;
};

/** Orders of the list besides the default, newest first. */
export const inboxSorts = ['oldest', 'priority', 'waiting', 'due'] as const satisfies readonly InboxOrder[];

export type InboxSort = (typeof inboxSorts)[number];

/** The listed conversations, their order, and the open one. */
export type InboxView = InboxFilters & {
  status: InboxStatus;
  selected: string | undefined;
  sort?: InboxSort | undefined;
};

/** In the order of the URL. */
const FILTERS = [
  'assignee',
  'team',
  'channel',
  'priority',
  'sla',
  'verified',
  'active',
  'created',
  'reply',
  'unread',
  'snoozed',
  'tag',
  'fields',
  'search',
] as const satisfies (keyof InboxFilters)[];

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TAG_MAX_LENGTH = 100;
const SEARCH_MAX_LENGTH = 200;
const FIELDS_MAX_LENGTH = 4_000;

/** Parses the query string of the inbox. Ignores invalid parameters. The default status is open. */
export function parseInboxView(query: Record<string, string | string[] | undefined>): InboxView {
  // Tags contain no control characters, and the database refuses some of them.
  const given = (name: string) =>
    firstParam(query[name])
      ?.replaceAll(/\p{Cc}/gu, '')
      .trim() || undefined;
  const choice = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === given(name));
  const assignee = given('assignee');
  const team = given('team');
  const filters = {
    assignee:
      assignee === 'me' || assignee === 'unassigned' || ID.test(assignee ?? '') ? assignee : undefined,
    team: ID.test(team ?? '') ? team : undefined,
    channel: choice('channel', CHANNEL_LIST),
    priority: choice('priority', PRIORITIES),
    sla: choice('sla', SLA_STATES),
    verified: choice('verified', ['yes', 'no']),
    active: choice('active', AGES),
    created: choice('created', AGES),
    reply: choice('reply', ['failed', 'scheduled']),
    snoozed: choice('snoozed', ['yes']),
    unread: choice('unread', ['yes']),
    tag: given('tag')?.slice(0, TAG_MAX_LENGTH),
    // The server ignores invalid conditions.
    fields: given('fields')?.slice(0, FIELDS_MAX_LENGTH),
    // Keep trailing white space: it marks the last word as complete.
    search: given('search') && firstParam(query.search)?.slice(0, SEARCH_MAX_LENGTH),
  };
  return {
    status: choice('status', inboxStatuses) ?? 'open',
    selected: given('selected'),
    ...onlyGiven({ ...filters, sort: choice('sort', inboxSorts) }),
  };
}

/** Returns the URL of a view, without defaults. */
export function inboxPath({ status, selected, sort, ...filters }: InboxView): string {
  const query = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filters[name];
    if (value) query.set(name, value);
  }
  if (status !== 'open') query.set('status', status);
  if (sort) query.set('sort', sort);
  if (selected) query.set('selected', selected);
  return query.size === 0 ? '/inbox' : `/inbox?${query}`;
}

/** Returns the URL of a view with these filters. Snoozed conversations are pending, and conversations with failed or scheduled replies can have any status. */
export function viewPath(filters: InboxFilters): string {
  const status = filters.snoozed ? 'pending' : filters.reply ? 'all' : 'open';
  return inboxPath({ ...filters, status, selected: undefined });
}

/** Returns the filters of a view without its status, order and selection. */
export function filtersOf({
  status: _status,
  selected: _selected,
  sort: _sort,
  ...filters
}: InboxView): InboxFilters {
  return filters;
}

/** Returns the filter of a view as the input of a procedure. */
export function conversationsInput({ status, team, selected: _selected, sort: _sort, ...same }: InboxView) {
  return { ...same, ...(team ? { teamId: team } : {}), ...(status === 'all' ? {} : { status }) };
}

/** Returns the input of the list procedure for a view. */
export function listInput(view: InboxView) {
  return { ...conversationsInput(view), order: view.sort };
}

/** Returns the URL of a saved view. Without a status in its filters, it lists all. */
export function savedPath({ status, teamId: team, order, ...same }: OrderedInput): string {
  const sort = order === 'newest' ? undefined : order;
  return inboxPath({ ...same, team, sort, status: status ?? 'all', selected: undefined });
}

/** Returns whether a view has filters besides the status and those that a view of the sidebar selects. */
export function hasFilters(filters: InboxFilters): boolean {
  const given = FILTERS.filter((name) => filters[name] !== undefined);
  const others = given.filter((name) => !['assignee', 'reply', 'unread', 'snoozed'].includes(name));
  return others.some((name) => name !== 'team' || given.length > 1);
}

/** Returns whether a view of the sidebar has exactly these filters. */
export function isSidebarFilter(filters: InboxFilters): boolean {
  const given = FILTERS.filter((name) => filters[name] !== undefined);
  const { assignee = 'me' } = filters;
  return given.length <= 1 && !hasFilters(filters) && (assignee === 'me' || assignee === 'unassigned');
}

function onlyGiven<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
