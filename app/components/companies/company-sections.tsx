import { addCompanyDomain } from '#app/components/companies/actions.ts';
import { CompanyDomainRow } from '#app/components/companies/company-domain-row.tsx';
import { AddDomainForm } from '#app/components/ui/add-domain-form.tsx';
import { FocusWhenLost } from '#app/components/ui/focus-when-lost.tsx';
import { Section } from '#app/components/ui/section.tsx';
import type { CompanyView } from '#server/screens/contacts/views.ts';

/** The domains that tell who belongs to a company, and the way to add one. */
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
