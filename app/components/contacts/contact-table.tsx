import { UsersRound } from 'lucide-react';
import { ContactTableRow } from '#app/components/contacts/contact-table-row.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { openScreens } from '#app/data/open-screens.ts';

/** How many contacts the list procedure answers at most. */
const LISTED_CONTACTS = 50;

/** The newest contacts; on a phone the name and what is known best, from a tablet on everything. */
export async function ContactTable() {
  const contacts = await (await openScreens()).contacts.list();
  if (contacts.length === 0) {
    return (
      <Card>
        <EmptyState icon={UsersRound} title="No contacts yet">
          <p>
            Everybody who writes on one of your channels becomes a contact. Workflows can create them too.
          </p>
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <Card className="overflow-hidden">
        <table className="w-full table-fixed text-left text-list">
          <thead className="border-b text-ink-faint text-xs">
            <tr>
              <th scope="col" className="px-4 py-2 font-medium">
                Name
              </th>
              <th scope="col" className="px-4 py-2 font-medium max-md:hidden">
                E-mail
              </th>
              <th scope="col" className="px-4 py-2 font-medium max-lg:hidden">
                Phone
              </th>
              <th scope="col" className="px-4 py-2 font-medium max-lg:hidden">
                Company
              </th>
              <th scope="col" className="w-32 px-4 py-2 text-right font-medium max-md:w-24">
                Added
              </th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {contacts.map((contact) => (
              <ContactTableRow key={contact.id} contact={contact} />
            ))}
          </tbody>
        </table>
      </Card>
      {contacts.length === LISTED_CONTACTS ? (
        <p className="mt-3 text-ink-faint text-xs">The newest {LISTED_CONTACTS} contacts are shown.</p>
      ) : null}
    </>
  );
}
