import { Building2, Plus, SearchX, UsersRound, X } from 'lucide-react';
import Link from 'next/link';
import { ContactTable } from '#app/components/contacts/contact-table.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/session.ts';
import { type ContactsView, contactsPath } from '#app/lib/contacts-path.ts';

type Props = { view: ContactsView; mayCreate: boolean };

export async function ContactList({ view, mayCreate }: Props) {
  const { search, company } = view;
  const newest = await (await getScreens()).contacts.list({ search, companyId: company });
  const served = { pages: [newest], pageParams: [null] };
  if (newest.rows.length > 0) return <ContactTable key={contactsPath(view)} served={served} view={view} />;
  const hasFilters = search.trim() !== '' || company !== undefined;
  return (
    <Card>{hasFilters ? <NoMatches search={search.trim()} /> : <NoContacts mayCreate={mayCreate} />}</Card>
  );
}

function NoMatches({ search }: { search: string }) {
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

function NoContacts({ mayCreate }: { mayCreate: boolean }) {
  return (
    <EmptyState
      icon={UsersRound}
      title="No contacts yet"
      {...(mayCreate ? { action: <NewContactLink /> } : {})}
    >
      <p>
        Everyone who writes on one of your channels becomes a contact. Teammates and workflows can also add
        contacts.
      </p>
    </EmptyState>
  );
}

/** The company filter, with a link that removes the filter. */
export async function CompanyChip({ id, search }: { id: string; search: string }) {
  const company = await (await getScreens()).contacts.company({ id });
  const name = company?.name ?? 'Unknown company';
  return (
    <p className="flex h-9 w-fit min-w-0 max-w-full items-center gap-2 rounded-lg border bg-canvas pl-3 text-list max-md:h-11">
      <Building2 aria-hidden size={16} className="shrink-0 text-ink-soft" />
      <span className="min-w-0 truncate">{name}</span>
      <Link
        href={contactsPath({ search })}
        scroll={false}
        aria-label={`Show contacts of all companies, not only ${name}`}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-hover hover:text-ink max-md:size-10"
      >
        <X aria-hidden size={16} />
      </Link>
    </p>
  );
}

export function NewContactLink() {
  return (
    <Link href="/contacts/new" className={buttonClass('primary')}>
      <Plus aria-hidden size={16} />
      New contact
    </Link>
  );
}
