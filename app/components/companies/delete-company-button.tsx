'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { deleteCompany } from '#app/components/companies/change-companies.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { companiesPath } from '#app/lib/companies-path.ts';
import { countedWords } from '#app/lib/counted-words.ts';
import type { CompanyView } from '#server/people/companies/views.ts';

/** Deletes a company, after saying what that means; then the others are shown. */
export function DeleteCompanyButton({ company: { id, name, contacts } }: { company: CompanyView }) {
  const router = useRouter();
  const run = async () => {
    const problem = await deleteCompany(id);
    if (problem) toast.error('Not deleted', { description: problem });
    else {
      toast.success(`${name} is deleted`);
      router.replace(companiesPath());
    }
  };
  return (
    <ConfirmDialog
      trigger={<Button className="max-md:grow">Delete</Button>}
      title={`Delete ${name}?`}
      confirm="Delete"
      onConfirm={run}
    >
      <p>
        {contacts.count === 0
          ? 'No contact belongs to it.'
          : `${countedWords(contacts, 'contact')} will belong to no company. The contacts themselves stay.`}{' '}
        Its domains are removed with it.
      </p>
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}
