'use server';

import { openScreens } from '#app/data/open-screens.ts';
import type { CompanyRow } from '#server/people/companies/views.ts';
import type { Page } from '#server/people/contacts/views.ts';

/** The page of companies at a cursor. */
export async function loadCompanies(search: string, cursor: string): Promise<Page<CompanyRow>> {
  return (await openScreens()).companies.list({ search, cursor });
}
