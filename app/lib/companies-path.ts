const LIST = '/contacts/companies';

/** The address of the list of companies, narrowed by a search. */
export function companiesPath(search = ''): string {
  return search.trim() === '' ? LIST : `${LIST}?${new URLSearchParams({ search })}`;
}

/** The address of a company. */
export function companyPath(id: string): string {
  return `${LIST}/${encodeURIComponent(id)}`;
}
