import { z } from 'zod';
import { previewErasure } from '#server/administration/privacy/preview-erasure.ts';
import { requestErasure, stopErasure } from '#server/administration/privacy/request-erasure.ts';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { addressInput, keyInput, lineInput, searchInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import {
  getContact,
  listContactConversations,
  mayChangeContacts,
  readContact,
} from '#server/screens/contacts/get-contact.ts';
import { findCompany, listCompanyChoices } from '#server/screens/contacts/list-companies.ts';
import { listContacts } from '#server/screens/contacts/list-contacts.ts';
import { previewMerge } from '#server/screens/contacts/preview-merge.ts';
import { createFromForm, updateFromForm } from '#server/screens/contacts/save-contact.ts';
import type { ContactFormView, ContactView, Page } from '#server/screens/contacts/views.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';
import { adminProcedure, agentProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

export type * from '#server/screens/contacts/views.ts';

type ContactPage = ContactView & { conversations: Page<InboxRow> };

const whichPage = { cursor: keyInput.optional() };
const which = z.object({ id: keyInput });
/** As typed. The domain function reports invalid values. */
const typed = z.object({
  name: lineInput.optional(),
  email: addressInput.optional(),
  phone: lineInput.optional(),
  city: lineInput.optional(),
  language: lineInput.optional(),
  company: z.union([z.object({ id: keyInput }), z.object({ name: lineInput }), z.null()]).optional(),
});

function readerIn({ id, visibility }: MemberWorkspace, user: { id: string }) {
  return { workspaceId: id, userId: user.id, visibility };
}

export const contactsScreens = screenRouter({
  list: screenProcedure
    .input(
      z.object({ search: searchInput.optional(), companyId: keyInput.optional(), ...whichPage }).default({}),
    )
    .query(({ ctx: { workspace }, input }) => listContacts(db(), { ...input, workspaceId: workspace.id })),
  company: screenProcedure
    .input(which)
    .query(({ ctx: { workspace }, input }) => findCompany(db(), { ...input, workspaceId: workspace.id })),
  mayChange: screenProcedure.query(({ ctx: { workspace } }) => mayChangeContacts(workspace.role)),
  get: screenProcedure
    .input(which)
    .query(async ({ ctx: { workspace, user }, input: { id } }): Promise<ContactPage | null> => {
      const [contact, conversations] = await Promise.all([
        getContact(db(), { workspaceId: workspace.id, id, role: workspace.role }),
        listContactConversations(db(), { ...readerIn(workspace, user), contactId: id }),
      ]);
      return contact && { ...contact, conversations };
    }),
  conversations: screenProcedure
    .input(which.extend(whichPage))
    .query(({ ctx: { workspace, user }, input: { id, cursor } }) =>
      listContactConversations(db(), { ...readerIn(workspace, user), contactId: id, cursor }),
    ),
  mergePreview: agentProcedure
    .input(which.extend({ intoId: keyInput }))
    .query(({ ctx: { workspace }, input }) => previewMerge(db(), { ...input, workspace })),
  merge: agentProcedure
    .input(which.extend({ intoId: keyInput }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      mergeContacts({ ...input, workspaceId: workspace.id, actor }),
    ),
  erasurePreview: adminProcedure
    .input(which)
    .query(({ ctx: { workspace }, input: { id } }) =>
      previewErasure(db(), { workspaceId: workspace.id, contactId: id }),
    ),
  erase: adminProcedure
    .input(which.extend({ typed: lineInput }))
    .mutation(({ ctx: { workspace, user }, input: { id, typed } }) =>
      requestErasure({ workspaceId: workspace.id, contactId: id, typed, by: user }),
    ),
  stopErasure: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input: { id } }) =>
      stopErasure({ workspaceId: workspace.id, contactId: id, by: user }),
    ),
  form: screenProcedure
    .input(z.object({ id: keyInput.optional() }))
    .query(({ ctx: { workspace }, input: { id } }) =>
      getContactForm(db(), { workspaceId: workspace.id, id, role: workspace.role }),
    ),
  create: agentProcedure
    .input(typed)
    .mutation(({ ctx: { workspace, actor }, input }) =>
      createFromForm({ workspaceId: workspace.id, actor }, input),
    ),
  update: agentProcedure
    .input(which.extend({ changes: typed }))
    .mutation(({ ctx: { workspace, actor }, input: { id, changes } }) =>
      updateFromForm({ workspaceId: workspace.id, id, actor }, changes),
    ),
});

/**
 * Returns the initial values of the contact form, or `not_allowed`; null when the workspace has no contact
 * with this id.
 * @param id any text; undefined for a new contact
 */
async function getContactForm(
  db: Db,
  { workspaceId, id, role }: { workspaceId: string; id: string | undefined; role: Role },
): Promise<ContactFormView | null> {
  if (!mayChangeContacts(role)) return { kind: 'not_allowed', role };
  const [contact, companies] = await Promise.all([
    id === undefined ? null : readContact(db, { workspaceId, id }),
    listCompanyChoices(db, workspaceId),
  ]);
  if (id !== undefined && contact === null) return null;
  return { kind: 'shown', contact, companies };
}
