'use client';

import { linkContacts, removeCompanyDomain } from '#app/components/companies/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import { countedWords, pluralize } from '#app/lib/format-count.ts';
import type { CompanyView } from '#server/screens/contacts/views.ts';

type Props = {
  company: Pick<CompanyView, 'id' | 'name' | 'mayChange'>;
  domain: CompanyView['domains'][number];
};

/** A company domain, with a button that links its contacts without a company. */
export function CompanyDomainRow({ company: { id, name, mayChange }, domain: { domain, unlinked } }: Props) {
  const some = countedWords(unlinked, 'contact');

  const link = useAction(linkContacts, {
    failed: 'Could not link the contacts',
    done: ({ linked, continues }) => ({
      title: `${pluralize(linked, 'contact')} linked to ${name}`,
      description: continues ? 'The rest will be linked in the next few minutes.' : undefined,
    }),
  });
  const remove = useAction(removeCompanyDomain, {
    failed: 'Could not remove the domain',
    done: () => ({ title: `${domain} removed`, description: `Its contacts stay linked to ${name}.` }),
  });
  const pending = link.pending || remove.pending;
  return (
    <li
      aria-label={domain}
      aria-busy={pending}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3 max-md:px-4"
    >
      <div className="grid min-w-0 grow basis-40 gap-0.5">
        <p className="font-semibold [overflow-wrap:anywhere]">{domain}</p>
        {unlinked.count > 0 ? (
          <p className="text-ink-soft text-list">
            {some} with an address on this domain {unlinked.count === 1 ? 'has' : 'have'} no company.
          </p>
        ) : null}
      </div>
      {mayChange ? (
        <div className="flex gap-2">
          {unlinked.count > 0 ? (
            <Button disabled={pending} onClick={() => link.start(id, domain)}>
              Link {some}
            </Button>
          ) : null}
          <Button
            variant="quiet"
            aria-label={`Remove ${domain}`}
            disabled={pending}
            onClick={() => remove.start(id, domain)}
          >
            Remove
          </Button>
        </div>
      ) : null}
    </li>
  );
}
