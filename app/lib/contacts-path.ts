import { firstParam } from '#app/lib/first-param.ts';

/** What the list of contacts is narrowed to. `search` empty and `company` undefined: everyone. */
export type ContactsView = { search: string; company: string | undefined };

/** The list's query string, read. */
export function readContactsView(query: Record<string, string | string[] | undefined>): ContactsView {
  return { search: firstParam(query.search) ?? '', company: firstParam(query.company) || undefined };
}

/** The address of the list; what is not set is left out. */
export function contactsPath(view: Partial<ContactsView> = {}): string {
  return `/contacts${queryOf(view)}`;
}

/** The address of a contact, which remembers from what list it was opened. */
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

/** The address of the list of companies, narrowed by a search. */
export function companiesPath(search = ''): string {
  return search.trim() === '' ? LIST : `${LIST}?${new URLSearchParams({ search })}`;
}

/** The address of a company. */
export function companyPath(id: string): string {
  return `${LIST}/${encodeURIComponent(id)}`;
}
