import { z } from 'zod';
import { findCompany } from '#server/contacts/list-companies.ts';
import { listContactConversations } from '#server/contacts/list-contact-conversations.ts';
import { listContacts } from '#server/contacts/list-contacts.ts';
import { mayChangeContacts } from '#server/contacts/may-change.ts';
import { openContact } from '#server/contacts/open-contact.ts';
import { createFromForm, updateFromForm } from '#server/contacts/save-contact.ts';
import { showContactForm } from '#server/contacts/show-contact-form.ts';
import { db } from '#server/db.ts';
import { actingProcedure } from '#server/teammates/acting-procedure.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

export type * from '#server/contacts/views.ts';

const whichPage = { cursor: z.string().optional() };
const which = z.object({ id: z.string() });
/** As typed: the domain function says what is wrong with a value. */
const typed = z.object({
  name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  city: z.string().optional(),
  language: z.string().optional(),
  company: z.union([z.object({ id: z.string() }), z.object({ name: z.string() }), z.null()]).optional(),
});

/** Contacts in the app. */
export const contactsScreens = screenRouter({
  list: screenProcedure
    .input(
      z.object({ search: z.string().optional(), companyId: z.string().optional(), ...whichPage }).default({}),
    )
    .query(({ ctx: { workspace }, input }) => listContacts(db(), { ...input, workspaceId: workspace.id })),
  company: screenProcedure
    .input(which)
    .query(({ ctx: { workspace }, input }) => findCompany(db(), { ...input, workspaceId: workspace.id })),
  mayChange: screenProcedure.query(({ ctx: { workspace } }) => mayChangeContacts(workspace.role)),
  open: screenProcedure
    .input(which)
    .query(({ ctx: { workspace }, input: { id } }) =>
      openContact(db(), { workspaceId: workspace.id, id, mayChange: mayChangeContacts(workspace.role) }),
    ),
  conversations: screenProcedure
    .input(which.extend(whichPage))
    .query(({ ctx: { workspace }, input: { id, cursor } }) =>
      listContactConversations(db(), { workspaceId: workspace.id, contactId: id, cursor }),
    ),
  form: screenProcedure
    .input(z.object({ id: z.string().optional() }))
    .query(({ ctx: { workspace }, input: { id } }) =>
      showContactForm(db(), { workspaceId: workspace.id, id, role: workspace.role }),
    ),
  create: actingProcedure
    .input(typed)
    .mutation(({ ctx: { workspace }, input }) => createFromForm(workspace.id, input)),
  update: actingProcedure
    .input(which.extend({ changes: typed }))
    .mutation(({ ctx: { workspace }, input: { id, changes } }) =>
      updateFromForm({ workspaceId: workspace.id, id }, changes),
    ),
});
