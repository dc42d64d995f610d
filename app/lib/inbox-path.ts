import { firstParam } from '#app/lib/first-param.ts';
import type { Channel, ConversationStatus } from '#server/screens/inbox/views.ts';
import { CHANNEL_LIST } from '#server/screens/settings/channel-views.ts';

/** What the inbox can be narrowed to, in the order of its tabs. */
export const inboxStatuses = ['open', 'pending', 'solved', 'closed', 'all'] as const;

export type InboxStatus = ConversationStatus | 'all';

/** What narrows the list besides a status; all of it must hold. */
export type InboxFilters = {
  /** `me`, `unassigned`, or a teammate's id. */
  assignee?: string | undefined;
  /** A team's id. */
  team?: string | undefined;
  channel?: Channel | undefined;
  tag?: string | undefined;
  search?: string | undefined;
};

/** Which conversations are listed and which one is open. */
export type InboxView = InboxFilters & { status: InboxStatus; selected: string | undefined };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TAG_MAX_LENGTH = 100;
const SEARCH_MAX_LENGTH = 200;

/** The inbox's query string, read; what it cannot mean is left out, an unknown status shows the open conversations. */
export function readInboxView(query: Record<string, string | string[] | undefined>): InboxView {
  // No tag has control characters, and the database would refuse some of them.
  const given = (name: string) =>
    firstParam(query[name])
      ?.replaceAll(/\p{Cc}/gu, '')
      .trim() || undefined;
  const assignee = given('assignee');
  const team = given('team');
  const filters = {
    assignee:
      assignee === 'me' || assignee === 'unassigned' || ID.test(assignee ?? '') ? assignee : undefined,
    team: ID.test(team ?? '') ? team : undefined,
    channel: CHANNEL_LIST.find((channel) => channel === given('channel')),
    tag: given('tag')?.slice(0, TAG_MAX_LENGTH),
    // Kept as typed: white space after the last word says that it is finished.
    search: given('search') && firstParam(query.search)?.slice(0, SEARCH_MAX_LENGTH),
  };
  return {
    status: inboxStatuses.find((status) => status === given('status')) ?? 'open',
    selected: given('selected'),
    ...onlyGiven(filters),
  };
}

/** The address of an inbox view; what is the default is left out. */
export function inboxPath({ status, selected, ...filters }: InboxView): string {
  const query = new URLSearchParams();
  const { assignee, team, channel, tag, search } = filters;
  for (const [name, value] of Object.entries({ assignee, team, channel, tag, search })) {
    if (value) query.set(name, value);
  }
  if (status !== 'open') query.set('status', status);
  if (selected) query.set('selected', selected);
  return query.size === 0 ? '/inbox' : `/inbox?${query}`;
}

/** What narrows a view besides its status. */
export function filtersOf({ status: _status, selected: _selected, ...filters }: InboxView): InboxFilters {
  return filters;
}

/** A view as the list of conversations is asked for it. */
export function conversationsInput({ status, team, selected: _selected, ...same }: InboxView) {
  return { ...same, ...(team ? { teamId: team } : {}), ...(status === 'all' ? {} : { status }) };
}

/** Rows of a first page: what a tall screen shows and a little more, as each is written, sent and drawn before any answers. */
const FIRST_ROWS = 20;

/** The first page of a view's list, as the list is asked for it. */
export function firstPageInput(view: InboxView) {
  return { ...conversationsInput(view), rows: FIRST_ROWS };
}

/** Whether a view is narrowed by more than its status and whose conversations it shows, which the sidebar chooses. */
export function isNarrowed({ team, channel, tag, search }: InboxFilters): boolean {
  return [team, channel, tag, search].some((value) => value !== undefined);
}

function onlyGiven<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
