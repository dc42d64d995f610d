import { SearchX, UsersRound } from 'lucide-react';
import Link from 'next/link';
import { ContactTable } from '#app/components/contacts/contact-table.tsx';
import { NewContactLink } from '#app/components/contacts/new-contact-link.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/get-screens.ts';
import { type ContactsView, contactsPath } from '#app/lib/contacts-path.ts';

type Props = { view: ContactsView; mayCreate: boolean };

/** The contacts that a view lets through, or why there are none. */
export async function ContactList({ view, mayCreate }: Props) {
  const { search, company } = view;
  const newest = await (await getScreens()).contacts.list({ search, companyId: company });
  if (newest.rows.length > 0) return <ContactTable key={contactsPath(view)} newest={newest} view={view} />;
  const isNarrowed = search.trim() !== '' || company !== undefined;
  return (
    <Card>{isNarrowed ? <NobodyFound search={search.trim()} /> : <NobodyYet mayCreate={mayCreate} />}</Card>
  );
}

function NobodyFound({ search }: { search: string }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No contact found"
      action={
        <Link href={contactsPath()} scroll={false} className={buttonClass('secondary')}>
          Show all contacts
        </Link>
      }
    >
      {search ? (
        <p className="[overflow-wrap:anywhere]">
          No contact matches “{search}”. The search covers names, email addresses, phone numbers and
          companies.
        </p>
      ) : (
        <p>This company has no contacts.</p>
      )}
    </EmptyState>
  );
}

function NobodyYet({ mayCreate }: { mayCreate: boolean }) {
  return (
    <EmptyState
      icon={UsersRound}
      title="No contacts yet"
      {...(mayCreate ? { action: <NewContactLink /> } : {})}
    >
      <p>
        Everyone who writes on one of your channels becomes a contact. Teammates and workflows can add
        contacts, too.
      </p>
    </EmptyState>
  );
}
