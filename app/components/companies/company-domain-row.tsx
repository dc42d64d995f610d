'use client';

import { useTransition } from 'react';
import { toast } from 'sonner';
import { linkContacts, removeCompanyDomain } from '#app/components/companies/change-companies.ts';
import { Button } from '#app/components/ui/button.tsx';
import { countedWords } from '#app/lib/counted-words.ts';
import { pluralize } from '#app/lib/pluralize.ts';
import type { CompanyView } from '#server/people/companies/views.ts';

type Props = {
  company: Pick<CompanyView, 'id' | 'name' | 'mayChange'>;
  domain: CompanyView['domains'][number];
};

/** One domain of a company; the contacts who have it and no company can be linked. */
export function CompanyDomainRow({ company: { id, name, mayChange }, domain: { domain, unlinked } }: Props) {
  const [pending, start] = useTransition();
  const some = countedWords(unlinked, 'contact');

  const link = async () => {
    const answer = await linkContacts(id, domain);
    if ('problem' in answer) return void toast.error('Nobody was linked', { description: answer.problem });
    const rest = answer.goesOn ? 'The others follow in the next minutes.' : undefined;
    toast.success(
      `${pluralize(answer.linked, 'contact')} ${answer.linked === 1 ? 'belongs' : 'belong'} to ${name} now`,
      { description: rest },
    );
  };
  const remove = async () => {
    const problem = await removeCompanyDomain(id, domain);
    if (problem) toast.error('Not removed', { description: problem });
    else toast.success(`${domain} is removed`, { description: `Its contacts still belong to ${name}.` });
  };
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
            {some} with an address of this domain {unlinked.count === 1 ? 'has' : 'have'} no company.
          </p>
        ) : null}
      </div>
      {mayChange ? (
        <div className="flex gap-2">
          {unlinked.count > 0 ? (
            <Button disabled={pending} onClick={() => start(link)}>
              Link {some}
            </Button>
          ) : null}
          <Button
            kind="quiet"
            aria-label={`Remove ${domain}`}
            disabled={pending}
            onClick={() => start(remove)}
          >
            Remove
          </Button>
        </div>
      ) : null}
    </li>
  );
}
