'use client';

import { useRouter } from 'next/navigation';
import { deleteCompany } from '#app/components/companies/actions.ts';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { companiesPath } from '#app/lib/contacts-path.ts';
import { countedWords } from '#app/lib/format-count.ts';
import type { CompanyView } from '#server/screens/contacts/views.ts';

/** Deletes a company after confirmation, then returns to the company list. */
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
          ? 'No contacts are linked to this company.'
          : `${countedWords(contacts, 'contact')} will have no company. The contacts are not deleted.`}{' '}
        Its domains are deleted too.
      </p>
      <p>This can’t be undone.</p>
    </DeleteButton>
  );
}
