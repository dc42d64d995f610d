import { z } from 'zod';
import { getExport, requestExport } from '#server/administration/export/request-export.ts';
import { textInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { ownerProcedure, screenRouter } from '#server/screens/procedures.ts';

/** Exports of the open workspace, for owners. */
export const workspaceExportScreens = screenRouter({
  get: ownerProcedure.query(({ ctx: { workspace } }) => getExport(db(), workspace.id)),
  request: ownerProcedure
    .input(z.object({ password: textInput(1_000) }))
    .mutation(({ ctx: { workspace, user, signedIn }, input }) =>
      requestExport({ workspaceId: workspace.id, by: user, sessionId: signedIn.sessionId, ...input }),
    ),
});
