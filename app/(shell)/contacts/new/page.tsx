import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ContactForm } from '#app/components/contacts/contact-form.tsx';
import { BackLink } from '#app/components/contacts/contacts-navigation.tsx';
import { FormNotAllowed } from '#app/components/contacts/form-not-allowed.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { contactsPath } from '#app/lib/contacts-path.ts';

export const metadata: Metadata = { title: 'New contact' };

export default async function NewContactPage() {
  const { workspace } = await requireWorkspace('/contacts/new');
  const view = (await (await getScreens()).contacts.form({})) ?? notFound();
  return (
    <PageBody>
      <BackLink href={contactsPath()}>Contacts</BackLink>
      <PageHeader title="New contact">A name, an email address or a phone number is enough.</PageHeader>
      {view.kind === 'shown' ? (
        <ContactForm key={workspace.id} contact={null} companies={view.companies} />
      ) : (
        <FormNotAllowed role={view.role} workspaceName={workspace.name} />
      )}
    </PageBody>
  );
}
