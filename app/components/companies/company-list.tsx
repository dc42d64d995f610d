import { Building2, SearchX } from 'lucide-react';
import Link from 'next/link';
import { CompanyDialog } from '#app/components/companies/company-dialog.tsx';
import { CompanyTable } from '#app/components/companies/company-table.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/session.ts';
import { companiesPath } from '#app/lib/contacts-path.ts';

type Props = { search: string; mayCreate: boolean };

export async function CompanyList({ search, mayCreate }: Props) {
  const first = await (await getScreens()).companies.list({ search });
  const served = { pages: [first], pageParams: [null] };
  if (first.rows.length > 0) return <CompanyTable key={search} served={served} search={search} />;
  return (
    <Card>
      {search.trim() ? (
        <EmptyState
          icon={SearchX}
          title="No company found"
          action={
            <Link href={companiesPath()} scroll={false} className={buttonClass('secondary')}>
              Show all companies
            </Link>
          }
        >
          <p className="[overflow-wrap:anywhere]">
            No company matches “{search.trim()}”. The search covers names and domains.
          </p>
        </EmptyState>
      ) : (
        <EmptyState
          icon={Building2}
          title="No companies yet"
          {...(mayCreate ? { action: <CompanyDialog /> } : {})}
        >
          <p>Add a company’s email domain to link new contacts with an address on that domain.</p>
        </EmptyState>
      )}
    </Card>
  );
}
