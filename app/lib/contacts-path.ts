import { firstParam } from '#app/lib/first-param.ts';

/** Filters of the contact list. An empty `search` and undefined `company` mean no filter. */
export type ContactsView = { search: string; company: string | undefined };

/** Parses the query string of the list. */
export function parseContactsView(query: Record<string, string | string[] | undefined>): ContactsView {
  return { search: firstParam(query.search) ?? '', company: firstParam(query.company) || undefined };
}

/** Returns the URL of the list, without defaults. */
export function contactsPath(view: Partial<ContactsView> = {}): string {
  return `/contacts${queryOf(view)}`;
}

/** Returns the URL of a contact, with the filters of the list that it was opened from. */
export function contactPath(id: string, from: Partial<ContactsView> = {}): string {
  return `/contacts/${encodeURIComponent(id)}${queryOf(from)}`;
}

function queryOf({ search = '', company }: Partial<ContactsView>): string {
  const query = new URLSearchParams();
  if (search.trim()) query.set('search', search);
  if (company) query.set('company', company);
  return query.size === 0 ? '' : `?${query}`;
}

const LIST = '/contacts/companies';

/** Returns the URL of the company list, filtered by a search. */
export function companiesPath(search = ''): string {
  return search.trim() === '' ? LIST : `${LIST}?${new URLSearchParams({ search })}`;
}

export function companyPath(id: string): string {
  return `${LIST}/${encodeURIComponent(id)}`;
}
