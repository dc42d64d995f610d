import { lengthOf, textProblem } from '#server/contract/fields.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, notFound, Refusal } from '#server/core/errors.ts';
import { cleanName } from '#server/core/text.ts';
import { attachmentProblem } from '#server/inbox/files/content-types.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { openUploaded, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { knownVariables } from '#server/inbox/saved-replies/field-variables.ts';
import { findUnknownVariable } from '#server/inbox/saved-replies/fill-variables.ts';
import { inLockedWorkspace } from '#server/teammates/require-role.ts';
import { isAdmin, VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';

/** Maximum number of shared saved replies of a workspace, and of private ones of a teammate. */
const SHARED_MAX = 500;
const PRIVATE_MAX = 100;

/** Maximum lengths, in code points. */
export const NAME_MAX_LENGTH = 80;
export const CONTENT_MAX_LENGTH = 4_000;

/** A saved reply as typed. An empty folder is none. A private one is only visible to its creator. */
export type SavedReplyFields = {
  name: string;
  folder: string;
  content: string;
  isPrivate: boolean;
  files: UploadedFile[];
};

type By = { workspaceId: string; by: Teammate };

/**
 * Adds a saved reply.
 * @throws Refusal when `by` is a viewer, a field is invalid, a file no longer exists, or there are too many
 */
export async function addSavedReply({
  workspaceId,
  by,
  ...typed
}: By & SavedReplyFields): Promise<{ id: string }> {
  return asWriter({ workspaceId, by }, async (tx) => {
    const fields = await parseFields(tx, workspaceId, typed);
    const ownerId = fields.isPrivate ? by.id : null;
    await refuseTooMany(tx, { workspaceId, ownerId });
    const { name, folder, content } = fields;
    const data = { workspaceId, ownerId, createdById: by.id, createdByName: by.name, name, folder, content };
    const { id } = await tx.savedReply.create({ data, select: { id: true } });
    await linkSavedFiles(tx, { workspaceId, id, files: fields.files });
    return { id };
  });
}

/**
 * Changes a saved reply. Only its creator can make it private.
 * @param updatedAt of the saved reply that the form showed
 * @throws Refusal as `addSavedReply` does, when it does not exist or was changed since, or when `by` may not change it
 */
export async function updateSavedReply({
  workspaceId,
  by,
  id,
  updatedAt,
  ...typed
}: By & SavedReplyFields & { id: string; updatedAt: Date }): Promise<void> {
  await asWriter({ workspaceId, by }, async (tx, mayEditAll) => {
    const fields = await parseFields(tx, workspaceId, typed);
    const saved = await findEditable(tx, { workspaceId, id, by, mayEditAll });
    if (saved.updatedAt.getTime() !== updatedAt.getTime()) throw invalid({ content: [CHANGED] });
    const ownerId = fields.isPrivate ? by.id : null;
    if (ownerId !== saved.ownerId) {
      if (fields.isPrivate && saved.createdById !== by.id) throw new Refusal('forbidden', ONLY_CREATOR);
      await refuseTooMany(tx, { workspaceId, ownerId });
    }
    const { name, folder, content } = fields;
    await tx.savedReply.update({ where: { id }, data: { ownerId, name, folder, content } });
    await linkSavedFiles(tx, { workspaceId, id, files: fields.files });
  });
}

const CHANGED =
  'This saved reply was changed in the meantime. Copy your text, then reload the page to see the change.';
const ONLY_CREATOR = 'Only the teammate who created a saved reply can make it private.';

/**
 * Deletes a saved reply. Does nothing when it does not exist.
 * @throws Refusal when `by` may not change it
 */
export async function deleteSavedReply({ workspaceId, by, id }: By & { id: string }): Promise<void> {
  await asWriter({ workspaceId, by }, async (tx, mayEditAll) => {
    const saved = await findVisible(tx, { workspaceId, id, by });
    if (!saved) return;
    await findEditable(tx, { workspaceId, id, by, mayEditAll });
    await tx.savedReply.delete({ where: { id } });
  });
}

/** Returns whether a teammate can change a shared saved reply: owners, admins and its creator can. */
export function mayEdit(
  saved: { ownerId: string | null; createdById: string | null },
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
): boolean {
  return saved.ownerId === null ? isAdmin || saved.createdById === userId : saved.ownerId === userId;
}

/** `mayEditAll`: the teammate is an owner or admin now. */
function asWriter<T>(who: By, work: (tx: Tx, mayEditAll: boolean) => Promise<T>): Promise<T> {
  return inLockedWorkspace(who, (tx, role) => {
    if (!role || role === 'viewer') throw new Refusal('forbidden', VIEWERS_READ_ONLY);
    return work(tx, isAdmin(role));
  });
}

/** Another teammate's private reply is not found. */
function findVisible(tx: Tx, { workspaceId, id, by }: By & { id: string }) {
  return tx.savedReply.findFirst({
    where: { workspaceId, id, OR: [{ ownerId: null }, { ownerId: by.id }] },
    select: { ownerId: true, createdById: true, updatedAt: true },
  });
}

async function findEditable(tx: Tx, which: By & { id: string; mayEditAll: boolean }) {
  const saved = await findVisible(tx, which);
  if (!saved) throw notFound('The saved reply');
  if (!mayEdit(saved, { userId: which.by.id, isAdmin: which.mayEditAll })) {
    throw new Refusal('forbidden', 'Only owners, admins and its creator can change a shared saved reply.');
  }
  return saved;
}

async function refuseTooMany(
  tx: Tx,
  { workspaceId, ownerId }: { workspaceId: string; ownerId: string | null },
): Promise<void> {
  const max = ownerId === null ? SHARED_MAX : PRIVATE_MAX;
  if ((await tx.savedReply.count({ where: { workspaceId, ownerId } })) < max) return;
  const whose =
    ownerId === null ? `A workspace can have up to ${max} shared` : `You can have up to ${max} private`;
  throw invalid({ name: [`${whose} saved replies. Delete one first.`] });
}

type Parsed = Omit<SavedReplyFields, 'files'> & { files: StoredFile[] };

/** @throws Refusal with a message for each invalid field */
async function parseFields(tx: Tx, workspaceId: string, typed: SavedReplyFields): Promise<Parsed> {
  const variables = await knownVariables(tx, workspaceId);
  const name = cleanName(typed.name);
  const folder = cleanName(typed.folder);
  const content = typed.content.replaceAll('\r\n', '\n').trim();
  const files = typed.files.flatMap((file) => openUploaded(workspaceId, file) ?? []);
  const errors: FieldErrors = {
    ...problemOf('name', name === '' ? 'The name must not be empty.' : nameProblem('name', name)),
    ...problemOf('folder', nameProblem('folder', folder)),
    ...problemOf(
      'content',
      content === '' ? 'The reply must not be empty.' : contentProblem(content, variables),
    ),
    ...problemOf('files', files.length < typed.files.length ? GONE : fileProblem(files)),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { name, folder, content, isPrivate: typed.isPrivate, files };
}

function problemOf(field: keyof SavedReplyFields, problem: string | undefined): FieldErrors {
  return problem ? { [field]: [problem] } : {};
}

function nameProblem(label: 'name' | 'folder', text: string): string | undefined {
  return textProblem(text, { label, max: NAME_MAX_LENGTH });
}

function contentProblem(content: string, variables: ReadonlyMap<string, string>): string | undefined {
  const problem = textProblem(content, { label: 'reply', max: CONTENT_MAX_LENGTH });
  if (problem) return problem;
  const unknown = findUnknownVariable(content, variables);
  if (unknown === undefined) return undefined;
  const shown = lengthOf(unknown) > 60 ? `${[...unknown].slice(0, 60).join('')}…` : unknown;
  return `“${shown}” is not a variable. Choose one of the list, or remove the double braces.`;
}

function fileProblem(files: StoredFile[]): string | undefined {
  return attachmentProblem(files.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })))?.message;
}

const GONE = 'A file is no longer available. Remove it and add it again.';

/** Makes `files` the files of a saved reply. Removed ones expire by a trigger. New ones must be unlinked uploads. */
async function linkSavedFiles(
  tx: Tx,
  { workspaceId, id, files }: { workspaceId: string; id: string; files: StoredFile[] },
): Promise<void> {
  const ids = files.map((file) => file.id);
  await tx.savedReplyFile.deleteMany({ where: { workspaceId, savedReplyId: id, id: { notIn: ids } } });
  const known = await tx.savedReplyFile.findMany({ where: { workspaceId, savedReplyId: id } });
  const added = files.filter((file) => !known.some((one) => one.id === file.id));
  if (added.length === 0) return;
  const unlinked = await tx.$queryRaw<unknown[]>`
    select id from stored_files
    where id = any(${added.map((file) => file.id)}::uuid[]) and workspace_id = ${workspaceId}::uuid
      and size_bytes is not null and owners = 0 and expires_at > now()
    order by id for no key update`;
  if (unlinked.length !== added.length) throw invalid({ files: [GONE] });
  await tx.savedReplyFile.createMany({
    data: added.map(({ id: fileId, name, contentType, sizeBytes }) => ({
      id: fileId,
      workspaceId,
      savedReplyId: id,
      position: ids.indexOf(fileId),
      name,
      contentType,
      sizeBytes,
    })),
  });
}
