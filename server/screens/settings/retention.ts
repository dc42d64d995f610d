import { z } from 'zod';
import { previewRetention } from '#server/administration/retention/preview-retention.ts';
import {
  getRetention,
  RETENTION_DAYS,
  setRetention,
} from '#server/administration/retention/retention-rule.ts';
import { lineInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { adminProcedure, ownerProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { RetentionView } from '#server/screens/settings/views.ts';

const retention = z.object({
  conversationDays: z.number().nullable(),
  anonymizes: z.boolean(),
  fileDays: z.number().nullable(),
  auditDays: z.number().nullable(),
});

/** The retention rule of the open workspace: owners set it, and admins see it. */
export const retentionScreens = screenRouter({
  get: adminProcedure.query(async ({ ctx: { workspace } }): Promise<RetentionView> => {
    const { startsAt, ...rule } = await getRetention(db(), workspace.id);
    const isWaiting = startsAt !== null && startsAt > new Date();
    return {
      ...rule,
      startsAt: isWaiting ? startsAt : null,
      daysMin: RETENTION_DAYS.min,
      daysMax: RETENTION_DAYS.max,
      workspaceName: workspace.name,
      mayChange: workspace.role === 'owner',
    };
  }),
  /** What the first night of a rule would delete. */
  preview: ownerProcedure
    .input(retention)
    .query(({ ctx: { workspace }, input }) =>
      previewRetention(db(), { workspaceId: workspace.id, retention: input }),
    ),
  set: ownerProcedure
    .input(z.object({ retention, typed: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      setRetention({ workspaceId: workspace.id, ...input, by: user }),
    ),
});
