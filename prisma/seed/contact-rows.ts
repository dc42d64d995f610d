import { timestampOf } from '#prisma/seed/ago.ts';
import type { DemoCompany, DemoContact, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { known } from '#prisma/seed/known.ts';
import { newId } from '#prisma/seed/new-id.ts';
import type { Rows } from '#prisma/seed/rows.ts';
import { splitName } from '#server/contacts/contact-fields.ts';

/** Adds a workspace's companies and contacts, linked like in the service. Returns the contacts' ids. */
export function addContactRows(
  rows: Rows,
  data: DemoWorkspace,
  given: { workspaceId: string; now: Date },
): Map<DemoContact, string> {
  const { workspaceId, now } = given;
  const companyIds = new Map<DemoCompany, string>();
  const companyIdsByDomain = new Map<string, string>();
  for (const company of data.companies) {
    const createdAt = timestampOf(now, company.since);
    const id = newId(createdAt);
    companyIds.set(company, id);
    rows.companies.push({ id, workspaceId, name: company.name, createdAt });
    for (const domain of company.domains) {
      companyIdsByDomain.set(domain, id);
      rows.companyDomains.push({ workspaceId, domain, companyId: id });
    }
  }

  const contactIds = new Map<DemoContact, string>();
  for (const contact of data.contacts) {
    const { email = null, phone = null, company } = contact;
    const createdAt = timestampOf(now, contact.since);
    const id = newId(createdAt);
    contactIds.set(contact, id);
    rows.contacts.push({
      id,
      workspaceId,
      ...(contact.name ? splitName(contact.name) : {}),
      email,
      phone,
      phoneDigits: phone?.replaceAll(/\D/g, '') || null,
      city: contact.city ?? null,
      language: contact.language ?? null,
      companyId: company ? known(companyIds, company) : companyOf(companyIdsByDomain, email),
      isTest: contact.isTest ?? false,
      createdAt,
      updatedAt: createdAt,
    });
  }
  return contactIds;
}

function companyOf(companyIdsByDomain: ReadonlyMap<string, string>, email: string | null): string | null {
  return (email && companyIdsByDomain.get(email.slice(email.lastIndexOf('@') + 1))) || null;
}
