import { ArrowLeft } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { ContactConversations } from '#app/components/contacts/contact-conversations.tsx';
import { ContactFacts } from '#app/components/contacts/contact-facts.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { openScreens } from '#app/data/open-screens.ts';
import { requireWorkspace } from '#app/data/require-workspace.ts';

type Props = { params: Promise<{ id: string }> };

const openContact = cache(async (id: string) => {
  await requireWorkspace(`/contacts/${encodeURIComponent(id)}`);
  const contact = await (await openScreens()).contacts.open({ id });
  return contact ?? notFound();
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const contact = await openContact((await params).id);
  return { title: contact.name ?? contact.email ?? 'Contact' };
}

export default async function ContactPage({ params }: Props) {
  const contact = await openContact((await params).id);
  const name = contact.name ?? contact.email ?? contact.phone ?? 'Unknown contact';
  return (
    <PageBody wide>
      <Link
        href="/contacts"
        className="mb-4 -ml-1.5 inline-flex h-8 items-center gap-1.5 rounded-lg px-1.5 text-ink-soft text-list hover:bg-hover hover:text-ink max-md:h-11"
      >
        <ArrowLeft aria-hidden size={16} />
        Contacts
      </Link>
      <header className="mb-6 flex items-center gap-3">
        <Avatar name={name} size="large" tone="neutral" />
        <div className="grid min-w-0">
          <h1 className="truncate text-xl">{name}</h1>
          {contact.companyName ? <p className="truncate text-ink-soft">{contact.companyName}</p> : null}
        </div>
      </header>
      <div className="grid items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <ContactFacts contact={contact} />
        <ContactConversations rows={contact.conversations} />
      </div>
    </PageBody>
  );
}
