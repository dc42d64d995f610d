import type { Metadata } from 'next';
import { permanentRedirect } from 'next/navigation';
import { ContactConversations } from '#app/components/contacts/contact-conversations.tsx';
import { ContactDescription, ContactHeader } from '#app/components/contacts/contact-profile.tsx';
import { BackLink } from '#app/components/contacts/contacts-navigation.tsx';
import { ErasureNotice } from '#app/components/contacts/erasure-notice.tsx';
import { PersonalData } from '#app/components/contacts/personal-data.tsx';
import { SamePhone } from '#app/components/contacts/same-phone.tsx';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { OtherWorkspace } from '#app/components/shell/other-workspace.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { getContact } from '#app/data/cached-reads.ts';
import { requireWorkspace, requireWorkspaceOf } from '#app/data/session.ts';
import { contactPath, contactsPath, parseContactsView } from '#app/lib/contacts-path.ts';
import type { Query } from '#app/lib/first-param.ts';
import { contactLabel } from '#server/screens/contacts/views.ts';

type Props = { params: Promise<{ id: string }>; searchParams: Query };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  const { workspace } = await requireWorkspace(contactPath(id));
  const owner = await requireWorkspaceOf({ kind: 'contact', id });
  if (owner.id !== workspace.id) return { title: 'Contact' };
  return { title: contactLabel(await getContact(id)) };
}

export default async function ContactPage({ params, searchParams }: Props) {
  const { id } = await params;
  const { workspace } = await requireWorkspace(contactPath(id));
  const owner = await requireWorkspaceOf({ kind: 'contact', id });
  if (owner.id !== workspace.id) {
    return (
      <OtherWorkspace
        what="contact"
        workspace={owner}
        open={workspace}
        path={contactPath(id)}
        backHref={contactsPath()}
      />
    );
  }
  const contact = await getContact(id);
  // The contact was merged into another one.
  if (contact.id !== id.toLowerCase()) permanentRedirect(contactPath(contact.id));
  return (
    <PageBody wide>
      <BackLink href={contactsPath(parseContactsView(await searchParams))}>Contacts</BackLink>
      <ContactHeader contact={contact} />
      <ErasureNotice contact={contact} />
      <SamePhone contact={contact} />
      <div className="grid items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <div className="grid gap-6">
          <ContactDescription contact={contact} />
          <PersonalData contact={contact} />
        </div>
        <ContactConversations
          key={id}
          contactId={id}
          served={{ pages: [contact.conversations], pageParams: [null] }}
        />
      </div>
      <RefreshOn topic="conversations" />
    </PageBody>
  );
}
