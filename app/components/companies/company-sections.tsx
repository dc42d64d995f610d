import { UsersRound } from 'lucide-react';
import { addCompanyDomain } from '#app/components/companies/actions.ts';
import { CompanyDomainRow } from '#app/components/companies/company-domain-row.tsx';
import { ContactTable } from '#app/components/contacts/contact-table.tsx';
import { AddDomainForm } from '#app/components/ui/add-domain-form.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/session.ts';
import type { CompanyView } from '#server/screens/contacts/views.ts';

export function CompanyDomains({ company }: { company: CompanyView }) {
  const { id, domains, domainsMax, mayChange } = company;
  const isFull = domains.length >= domainsMax;
  return (
    <Section
      id="company-domains"
      title="Domains"
      about="New contacts with an email address on one of these domains are linked to this company."
    >
      {domains.length === 0 ? (
        <p className="p-5 text-ink-soft max-md:p-4">
          No domains yet. Until you add one, choose the company on each contact.
        </p>
      ) : (
        <ul className="divide-y" aria-labelledby="company-domains">
          {domains.map((domain) => (
            <CompanyDomainRow key={domain.domain} company={company} domain={domain} />
          ))}
        </ul>
      )}
      {mayChange && !isFull ? <AddDomainForm add={addCompanyDomain.bind(null, id)} /> : null}
      {isFull ? <p className="p-5 text-ink-soft">A company can have up to {domainsMax} domains.</p> : null}
      <FocusWhenLost
        on={domains.map(({ domain, unlinked }) => `${domain} ${unlinked.count}`).join()}
        goTo="company-domains"
      />
    </Section>
  );
}

/** Lists the contacts of a company, newest first. */
export async function CompanyContacts({ id }: { id: string }) {
  const newest = await (await getScreens()).contacts.list({ companyId: id });
  return (
    <section aria-labelledby="company-contacts" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="company-contacts" className="text-base">
        Contacts
      </h2>
      {newest.rows.length > 0 ? (
        <ContactTable served={{ pages: [newest], pageParams: [null] }} view={{ search: '', company: id }} />
      ) : (
        <Card>
          <EmptyState icon={UsersRound} title="No contacts yet">
            <p>Contacts with an address at this company’s domains, or linked to it, appear here.</p>
          </EmptyState>
        </Card>
      )}
    </section>
  );
}
