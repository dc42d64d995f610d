import { z } from 'zod';
import { setBusinessHours } from '#server/administration/workspaces/set-business-hours.ts';
import { keyInput, lineInput } from '#server/contract/text-input.ts';
import { readBusinessHours } from '#server/core/business-hours.ts';
import { db } from '#server/core/database/prisma.ts';
import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { BusinessHoursView } from '#server/screens/settings/views.ts';
import { compareNames } from '#server/teammates/find-teammates.ts';

const hours = z.object({
  timeZone: lineInput,
  week: z.array(z.array(z.tuple([z.number(), z.number()])).max(20)).max(7),
  holidays: z.array(z.object({ date: lineInput, name: lineInput })).max(500),
});

/** The business hours of the open workspace and its teams. */
export const businessHoursScreens = screenRouter({
  get: adminProcedure.query(async ({ ctx: { workspace } }): Promise<BusinessHoursView> => {
    const [{ businessHours }, teams] = await Promise.all([
      db().workspace.findUniqueOrThrow({ where: { id: workspace.id }, select: { businessHours: true } }),
      db().team.findMany({
        where: { workspaceId: workspace.id, deletedAt: null },
        select: { id: true, name: true, businessHours: true },
      }),
    ]);
    return {
      hours: readBusinessHours(businessHours),
      teams: teams
        .map((team) => ({ id: team.id, name: team.name, hours: readBusinessHours(team.businessHours) }))
        .sort(compareNames),
    };
  }),
  /** `teamId` null: those of the workspace. */
  set: adminProcedure
    .input(z.object({ teamId: keyInput.nullable(), hours: hours.nullable() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      setBusinessHours({ workspaceId: workspace.id, ...input, by: user }),
    ),
});
