'use client';

import { useRouter } from 'next/navigation';
import { deleteCompany } from '#app/components/companies/actions.ts';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { companiesPath } from '#app/lib/contacts-path.ts';
import { countedWords } from '#app/lib/format-count.ts';
import type { CompanyView } from '#server/screens/contacts/views.ts';

/** Deletes a company, after saying what that means; then the others are shown. */
export function DeleteCompanyButton({ company: { id, name, contacts } }: { company: CompanyView }) {
  const router = useRouter();
  return (
    <DeleteButton
      name={name}
      act={deleteCompany.bind(null, id)}
      onDone={() => router.replace(companiesPath())}
      className="max-md:grow"
    >
      <p>
        {contacts.count === 0
          ? 'No contacts are linked to it.'
          : `${countedWords(contacts, 'contact')} will have no company. The contacts themselves stay.`}{' '}
        Its domains are removed with it.
      </p>
      <p>This cannot be undone.</p>
    </DeleteButton>
  );
}
