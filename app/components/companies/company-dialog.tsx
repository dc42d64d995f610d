'use client';

import { Pencil, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { saveCompany } from '#app/components/companies/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { NameDialog } from '#app/components/ui/name-dialog.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { companyPath } from '#app/lib/contacts-path.ts';

/** Creates a company and opens it, or renames the given company. */
export function CompanyDialog({ company }: { company?: { id: string; name: string } }) {
  const router = useRouter();
  const done = (id: string) => {
    toast.success(company ? 'Company renamed' : 'Company created');
    if (!company) router.push(companyPath(id));
  };
  return (
    <NameDialog
      trigger={
        <Button variant={company ? 'secondary' : 'primary'} className={company ? 'max-md:grow' : ''}>
          {company ? <Pencil aria-hidden size={16} /> : <Plus aria-hidden size={16} />}
          {company ? 'Rename' : 'New company'}
        </Button>
      }
      title={company ? 'Rename company' : 'New company'}
      placeholder="Analytical Engines"
      name={company?.name}
      confirm={company ? 'Rename' : 'Create company'}
      save={saveCompany.bind(null, company?.id ?? null)}
      onSaved={done}
    />
  );
}
