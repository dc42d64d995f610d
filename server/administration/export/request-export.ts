import { checkPassword } from '#server/administration/accounts/change-password.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { notFound, Refusal } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asOwner } from '#server/teammates/require-role.ts';

/** Days for which the archives of a finished export can be downloaded. */
export const EXPORT_DAYS = 7;
/** Exports of a workspace in 24 hours. */
const EXPORTS_A_DAY = 3;

const IS_RUNNING = 'An export is running. Wait until it is ready.';
const TOO_MANY = `A workspace can be exported ${EXPORTS_A_DAY} times a day. Try again tomorrow.`;

/**
 * Starts an export of the whole workspace for an owner who confirms with their password. A job writes it, and the owner gets an email.
 * @throws Refusal unless `by` is an owner and the password is right, while another export runs, and after `EXPORTS_A_DAY`
 */
export async function requestExport(request: {
  workspaceId: string;
  by: Teammate;
  sessionId: string;
  password: string;
}): Promise<void> {
  const { workspaceId, by, sessionId, password } = request;
  await checkPassword({ user: by, sessionId, password });
  await asOwner(request, async (tx) => {
    const own = { workspaceId };
    if (await tx.workspaceExport.count({ where: { ...own, finishedAt: null, failedAt: null } }))
      throw new Refusal('invalid', IS_RUNNING);
    const today = { gt: new Date(Date.now() - 86_400_000) };
    if ((await tx.workspaceExport.count({ where: { ...own, requestedAt: today } })) >= EXPORTS_A_DAY)
      throw new Refusal('invalid', TOO_MANY);
    const { id: exportId } = await tx.workspaceExport.create({
      data: { ...own, requestedById: by.id, requestedByName: by.name },
      select: { id: true },
    });
    await addAuditEntry(tx, { workspaceId, kind: 'workspace_export_requested', by });
    await queueJob(tx, 'export-workspace', { exportId }, { queue: 'exports' });
  });
}

/** Path of an archive, followed by its id. */
export const EXPORT_PATH = '/workspace-exports/';

/** The newest export of a workspace. `archives` can be downloaded. */
export type ExportView = {
  requestedAt: Date;
  requestedByName: string;
  state: 'running' | 'ready' | 'failed' | 'expired';
  rows: number;
  files: number;
  expiresAt: Date | null;
  archives: { id: string; path: string; number: number; sizeBytes: number }[];
};

/** Returns the newest export of a workspace, or null when there was none in the last days. */
export async function getExport(client: Db, workspaceId: string): Promise<ExportView | null> {
  const newest = await client.workspaceExport.findFirst({
    where: { workspaceId },
    orderBy: { requestedAt: 'desc' },
    include: {
      archives: { select: { id: true, number: true, sizeBytes: true }, orderBy: { number: 'asc' } },
    },
  });
  if (!newest) return null;
  const { requestedAt, requestedByName, rows, files, finishedAt, failedAt, expiresAt, archives } = newest;
  const isExpired = expiresAt !== null && expiresAt <= new Date();
  const state = failedAt ? 'failed' : isExpired ? 'expired' : finishedAt ? 'ready' : 'running';
  return {
    requestedAt,
    requestedByName,
    state,
    rows,
    files,
    expiresAt,
    archives:
      state === 'ready'
        ? archives.map((archive) => ({ ...archive, path: `${EXPORT_PATH}${archive.id}` }))
        : [],
  };
}

/**
 * Finds an archive of a finished export for an owner, and adds an audit entry. Returns its file and the name of the download.
 * @throws Refusal unless `by` is an owner now, and for an archive that is unknown, expired or of another workspace
 */
export async function downloadArchive(which: {
  workspaceId: string;
  archiveId: string;
  by: Teammate;
}): Promise<{ fileId: string; name: string }> {
  const { workspaceId, archiveId, by } = which;
  return asOwner(which, async (tx) => {
    const archive = await tx.workspaceExportArchive.findFirst({
      where: { id: archiveId, export: { workspaceId, expiresAt: { gt: new Date() } } },
      select: {
        id: true,
        number: true,
        export: { select: { requestedAt: true, workspace: { select: { name: true } } } },
      },
    });
    if (!archive) throw notFound('The export');
    const { number } = archive;
    const day = archive.export.requestedAt.toISOString().slice(0, 10);
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'workspace_export_downloaded',
      by,
      data: { archive: String(number), requestedAt: day },
    });
    const name = `${archive.export.workspace.name} ${day} ${number}.zip`;
    return { fileId: archive.id, name };
  });
}
