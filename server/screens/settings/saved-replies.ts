import { z } from 'zod';
import { COMPANY_JOIN } from '#server/contacts/contact-record.ts';
import { listFields } from '#server/contacts/custom-fields.ts';
import { type FieldValues, readFieldValues } from '#server/contacts/field-values.ts';
import { lineInput, searchInput, textInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { FieldSubject } from '#server/generated/prisma/enums.ts';
import { IS_NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import { ATTACHMENTS_MAX, TOO_MANY } from '#server/inbox/files/content-types.ts';
import { signUploaded, uploadedFileShape } from '#server/inbox/files/uploaded-file.ts';
import {
  fieldVariable,
  fieldVariableValues,
  variablesOf,
} from '#server/inbox/saved-replies/field-variables.ts';
import { fillVariables, VARIABLES, type Variable } from '#server/inbox/saved-replies/fill-variables.ts';
import { keepSavedFiles } from '#server/inbox/saved-replies/keep-saved-files.ts';
import {
  addSavedReply,
  CONTENT_MAX_LENGTH,
  deleteSavedReply,
  mayEdit,
  NAME_MAX_LENGTH,
  updateSavedReply,
} from '#server/inbox/saved-replies/saved-replies.ts';
import { searchSavedReplies } from '#server/inbox/saved-replies/search-saved-replies.ts';
import { agentProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { OfferedSavedReply, SavedRepliesView } from '#server/screens/settings/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

const fields = {
  name: lineInput,
  folder: lineInput,
  content: textInput(CONTENT_MAX_LENGTH, 'reply'),
  isPrivate: z.boolean(),
  files: z.array(uploadedFileShape).max(ATTACHMENTS_MAX, TOO_MANY),
};

/** Saved replies, for everyone who writes replies. */
export const savedRepliesScreens = screenRouter({
  get: agentProcedure
    .input(z.object({ search: textInput(100).optional() }))
    .query(({ ctx: { workspace, user }, input: { search = '' } }) =>
      getSavedReplies(db(), { workspace, userId: user.id, search }),
    ),
  add: agentProcedure
    .input(z.object(fields))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addSavedReply({ workspaceId: workspace.id, by: user, ...input }),
    ),
  update: agentProcedure
    .input(z.object({ id: z.uuid(), updatedAt: z.date(), ...fields }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateSavedReply({ workspaceId: workspace.id, by: user, ...input }),
    ),
  delete: agentProcedure
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteSavedReply({ workspaceId: workspace.id, by: user, ...input }),
    ),
  /** Returns the best matches for the text after `/`, filled in for a conversation. */
  offer: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(z.object({ conversationId: z.uuid(), query: searchInput }))
    .query(({ ctx: { workspace, user }, input }) => offerSavedReplies(db(), { workspace, user, ...input })),
  /** Returns the files of a saved reply for a draft, which may send them for a week. */
  keepFiles: agentProcedure
    .input(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx: { workspace, user }, input: { id } }) => {
      const files = await keepSavedFiles({ workspaceId: workspace.id, userId: user.id, id });
      return files.map((file) => signUploaded(workspace.id, file));
    }),
});

/** Maximum number of saved replies per page. Others are found by searching. */
const SHOWN_MAX = 100;

async function getSavedReplies(
  db: Db,
  { workspace, userId, search }: { workspace: MemberWorkspace; userId: string; search: string },
): Promise<SavedRepliesView> {
  const { id: workspaceId, searchLanguage: language } = workspace;
  const visible = { workspaceId, OR: [{ ownerId: null }, { ownerId: userId }] };
  const [found, total, folders, fields] = await Promise.all([
    searchSavedReplies(db, {
      workspaceId,
      userId,
      query: search,
      language,
      order: 'folder',
      limit: SHOWN_MAX + 1,
    }),
    db.savedReply.count({ where: visible }),
    db.savedReply.findMany({
      where: { ...visible, folder: { not: '' } },
      distinct: ['folder'],
      orderBy: { folder: 'asc' },
      select: { folder: true },
      take: SHOWN_MAX,
    }),
    listFields(db, workspaceId),
  ]);
  const shown = found.slice(0, SHOWN_MAX);
  const files = await filesOf(db, { workspaceId, ids: shown.map(({ id }) => id) });
  return {
    workspaceId,
    replies: shown.map(({ ownerId, createdById, ...saved }) => ({
      ...saved,
      isPrivate: ownerId !== null,
      isYours: createdById === userId,
      mayEdit: mayEdit({ ownerId, createdById }, { userId, isAdmin: isAdmin(workspace.role) }),
      files: (files.get(saved.id) ?? []).map((file) => signUploaded(workspaceId, file)),
    })),
    hasMore: found.length > SHOWN_MAX,
    total,
    folders: folders.map(({ folder }) => folder),
    variables: [
      ...Object.entries(VARIABLES).map(([name, about]) => ({ name, about })),
      ...fields.map(fieldVariable),
    ],
    limits: { name: NAME_MAX_LENGTH, content: CONTENT_MAX_LENGTH, files: ATTACHMENTS_MAX },
  };
}

/** Returns the files of saved replies, in their order, by the id of the saved reply. */
async function filesOf(db: Db, { workspaceId, ids }: { workspaceId: string; ids: string[] }) {
  const files = await db.savedReplyFile.findMany({
    where: { workspaceId, savedReplyId: { in: ids } },
    orderBy: { position: 'asc' },
    select: { id: true, savedReplyId: true, name: true, contentType: true, sizeBytes: true },
  });
  return Map.groupBy(files, ({ savedReplyId }) => savedReplyId);
}

/** Maximum number of saved replies that the composer offers. */
const OFFERED_MAX = 8;

async function offerSavedReplies(
  db: Db,
  offer: {
    workspace: MemberWorkspace;
    user: { id: string; name: string };
    conversationId: string;
    query: string;
  },
): Promise<OfferedSavedReply[]> {
  const { workspace, user, conversationId, query } = offer;
  const { id: workspaceId, searchLanguage: language } = workspace;
  const [found, contact, fields] = await Promise.all([
    searchSavedReplies(db, {
      workspaceId,
      userId: user.id,
      query,
      language,
      order: 'use',
      limit: OFFERED_MAX,
    }),
    findContact(db, { workspaceId, conversationId }),
    listFields(db, workspaceId),
  ]);
  if (!contact || found.length === 0) return [];
  const [files, fieldValues] = await Promise.all([
    filesOf(db, { workspaceId, ids: found.map(({ id }) => id) }),
    fields.length === 0
      ? { contact: {}, conversation: {} }
      : readValues(db, { workspaceId, conversationId, contactId: contact.id }),
  ]);
  const variables = variablesOf(fields);
  const values = new Map([
    ...Object.entries(valuesOf(contact, { teammateName: user.name, workspaceName: workspace.name })),
    ...fieldVariableValues(fields, fieldValues),
  ]);
  return found.map(({ id, name, folder, content }) => {
    const { text, missing } = fillVariables(content, values);
    const shown = (files.get(id) ?? []).map((file) => ({ name: file.name, sizeBytes: file.sizeBytes }));
    return {
      id,
      name,
      folder,
      content: text,
      missing: missing.map((key) => variables.get(key) ?? key),
      files: shown,
    };
  });
}

type ContactValues = Record<'id' | 'firstName' | 'lastName' | 'email' | 'company', string | null>;

/** Returns the contact of a conversation; undefined when the workspace has no such conversation. */
async function findContact(
  db: SqlDb,
  { workspaceId, conversationId }: { workspaceId: string; conversationId: string },
): Promise<ContactValues | undefined> {
  const [contact] = await db.$queryRaw<ContactValues[]>`
    select k.id, k.first_name as "firstName", k.last_name as "lastName", k.email, o.name as company
    from conversations c
    left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
    ${Prisma.raw(COMPANY_JOIN)}
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${conversationId}::uuid and ${IS_NOT_DELETED}`;
  return contact;
}

/** Returns the values of custom fields of a conversation and of its contact. */
async function readValues(
  db: SqlDb,
  { workspaceId, ...ids }: { workspaceId: string; conversationId: string; contactId: string | null },
): Promise<Record<FieldSubject, FieldValues>> {
  const valuesOfOwner = (subject: FieldSubject, id: string | null) =>
    readFieldValues(db, { workspaceId, subject, ownerId: Prisma.sql`${id}::uuid` });
  const [contact, conversation] = await Promise.all([
    valuesOfOwner('contact', ids.contactId),
    valuesOfOwner('conversation', ids.conversationId),
  ]);
  return { contact, conversation };
}

function valuesOf(
  { firstName, lastName, email, company }: ContactValues,
  { teammateName, workspaceName }: { teammateName: string; workspaceName: string },
): Record<Variable, string | null> {
  const fullName = [firstName, lastName].filter((part) => part !== null).join(' ');
  return {
    'contact.first_name': firstName,
    'contact.last_name': lastName,
    'contact.name': fullName === '' ? null : fullName,
    'contact.email': email,
    'contact.company': company,
    'teammate.first_name': teammateName.split(' ')[0] ?? teammateName,
    'teammate.name': teammateName,
    'workspace.name': workspaceName,
  };
}
