import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { BackLink } from '#app/components/contacts/back-link.tsx';
import { ContactForm } from '#app/components/contacts/contact-form.tsx';
import { FormNotAllowed } from '#app/components/contacts/form-not-allowed.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { PageHeader } from '#app/components/ui/page-header.tsx';
import { openScreens } from '#app/data/open-screens.ts';
import { requireWorkspace } from '#app/data/require-workspace.ts';
import { contactPath } from '#app/lib/contacts-path.ts';
import { contactLabel } from '#server/people/contacts/views.ts';

export const metadata: Metadata = { title: 'Edit contact' };

export default async function EditContactPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { workspace } = await requireWorkspace(`${contactPath(id)}/edit`);
  const view = (await (await openScreens()).contacts.form({ id })) ?? notFound();
  return (
    <PageBody>
      <BackLink href={contactPath(id)}>
        {view.kind === 'shown' && view.contact ? contactLabel(view.contact) : 'Contact'}
      </BackLink>
      <PageHeader title="Edit contact" />
      {view.kind === 'shown' ? (
        <ContactForm key={id} contact={view.contact} companies={view.companies} />
      ) : (
        <FormNotAllowed role={view.role} workspaceName={workspace.name} />
      )}
    </PageBody>
  );
}
