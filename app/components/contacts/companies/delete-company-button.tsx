'use client';

import { useRouter } from 'next/navigation';
import { deleteCompany } from '#app/components/contacts/companies/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/forms/use-action.ts';
import { ConfirmDialog } from '#app/components/ui/overlays/confirm-dialog.tsx';
import { countedWords } from '#app/lib/format/counted-words.ts';
import { companiesPath } from '#app/lib/paths/companies-path.ts';
import type { CompanyView } from '#server/people/companies/views.ts';

/** Deletes a company, after saying what that means; then the others are shown. */
export function DeleteCompanyButton({ company: { id, name, contacts } }: { company: CompanyView }) {
  const router = useRouter();
  const { run } = useAction(deleteCompany, { failed: 'Not deleted', done: `${name} deleted` });
  const deleteIt = async () => {
    const outcome = await run(id);
    if (outcome.done) router.replace(companiesPath());
  };
  return (
    <ConfirmDialog
      trigger={<Button className="max-md:grow">Delete</Button>}
      title={`Delete ${name}?`}
      confirm="Delete"
      onConfirm={deleteIt}
    >
      <p>
        {contacts.count === 0
          ? 'No contacts are linked to it.'
          : `${countedWords(contacts, 'contact')} will have no company. The contacts themselves stay.`}{' '}
        Its domains are removed with it.
      </p>
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}
