import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ContactForm } from '#app/components/contacts/contact-form.tsx';
import { BackLink } from '#app/components/contacts/contacts-navigation.tsx';
import { FormNotAllowed } from '#app/components/contacts/form-not-allowed.tsx';
import { OtherWorkspace } from '#app/components/shell/other-workspace.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace, requireWorkspaceOf } from '#app/data/session.ts';
import { contactPath, contactsPath } from '#app/lib/contacts-path.ts';
import { contactLabel } from '#server/screens/contacts/views.ts';

export const metadata: Metadata = { title: 'Edit contact' };

export default async function EditContactPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const path = `${contactPath(id)}/edit`;
  const { workspace } = await requireWorkspace(path);
  const owner = await requireWorkspaceOf({ kind: 'contact', id });
  if (owner.id !== workspace.id) {
    return (
      <OtherWorkspace
        what="contact"
        workspace={owner}
        open={workspace}
        path={path}
        backHref={contactsPath()}
      />
    );
  }
  const view = (await (await getScreens()).contacts.form({ id })) ?? notFound();
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
