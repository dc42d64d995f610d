import { UsersRound } from 'lucide-react';
import { ContactTable } from '#app/components/contacts/contact-table.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/get-screens.ts';

/** The people of a company, newest first. */
export async function CompanyContacts({ id }: { id: string }) {
  const newest = await (await getScreens()).contacts.list({ companyId: id });
  return (
    <section aria-labelledby="company-contacts" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="company-contacts" className="text-base">
        Contacts
      </h2>
      {newest.rows.length > 0 ? (
        <ContactTable newest={newest} view={{ search: '', company: id }} />
      ) : (
        <Card>
          <EmptyState icon={UsersRound} title="No contacts yet">
            <p>
              Contacts with an email address on its domains appear here, and those you link to this company.
            </p>
          </EmptyState>
        </Card>
      )}
    </section>
  );
}
