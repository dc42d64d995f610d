import { z } from 'zod';
import { requireSecondFactor } from '#server/administration/accounts/second-factor/require-second-factor.ts';
import { deleteWorkspace } from '#server/administration/workspaces/delete-workspace.ts';
import { addDomain, removeDomain, verifyDomain } from '#server/administration/workspaces/email-domains.ts';
import {
  addMailbox,
  chooseDefaultMailbox,
  removeMailbox,
  renameMailbox,
} from '#server/administration/workspaces/mailboxes.ts';
import { dismissSetup, getSetup } from '#server/administration/workspaces/setup-steps.ts';
import {
  CLOSE_AFTER_DAYS_MAX,
  changePlan,
  updateSettings,
} from '#server/administration/workspaces/update-settings.ts';
import { COUNTRIES, type Country, countryOfTimeZone } from '#server/contacts/countries.ts';
import { addressInput, keyInput, lineInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { systemResolver } from '#server/core/mail/dns-text-records.ts';
import { SEARCH_LANGUAGES } from '#server/core/search-languages.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { Plan } from '#server/generated/prisma/enums.ts';
import { adminProcedure, ownerProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { getPlans } from '#server/screens/settings/plan.ts';
import type {
  PlansView,
  WorkspaceDeletionView,
  WorkspaceSettingsView,
} from '#server/screens/settings/views.ts';
import { HAS_SECOND_FACTOR } from '#server/teammates/has-second-factor.ts';
import { isAdmin } from '#server/teammates/roles.ts';

export type * from '#server/screens/settings/views.ts';

/** The open workspace: settings, plan and deletion. */
export const workspacesScreens = screenRouter({
  settings: screenProcedure.query(async ({ ctx: { workspace } }): Promise<WorkspaceSettingsView> => {
    const { role } = workspace;
    if (!isAdmin(role)) return { kind: 'not_allowed', role };
    return { kind: 'shown', ...(await getSettings(db(), workspace.id)), mayDelete: role === 'owner' };
  }),
  update: adminProcedure
    .input(
      z.object({
        name: lineInput.optional(),
        assignOnReply: z.boolean().optional(),
        askForRating: z.boolean().optional(),
        closeSolvedAfterDays: z.number().nullable().optional(),
        slaFirstResponseMinutes: z.number().nullable().optional(),
        slaResolutionMinutes: z.number().nullable().optional(),
        country: keyInput.optional(),
        searchLanguage: keyInput.optional(),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateSettings({ workspaceId: workspace.id, changes: input, by: user }),
    ),
  /** Country to suggest to an owner or admin whose browser is in this time zone. Null for others, or when the workspace has one. */
  suggestedCountry: screenProcedure
    .input(z.object({ timeZone: lineInput }))
    .query(async ({ ctx: { workspace }, input: { timeZone } }): Promise<Country | null> => {
      if (!isAdmin(workspace.role)) return null;
      const where = { id: workspace.id };
      const { country } = await db().workspace.findUniqueOrThrow({ where, select: { country: true } });
      return country === null ? countryOfTimeZone(timeZone) : null;
    }),
  /** From when teammates need a second factor, and how many have none. */
  secondFactorRule: ownerProcedure.query(async ({ ctx: { workspace } }) => {
    const [{ secondFactorFrom: from }, without] = await Promise.all([
      db().workspace.findUniqueOrThrow({ where: { id: workspace.id }, select: { secondFactorFrom: true } }),
      db().member.count({
        where: {
          workspaceId: workspace.id,
          NOT: { user: HAS_SECOND_FACTOR },
        },
      }),
    ]);
    return { from, without };
  }),
  requireSecondFactor: ownerProcedure
    .input(z.object({ from: keyInput.nullable() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      requireSecondFactor({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addDomain: adminProcedure
    .input(z.object({ domain: addressInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addDomain({ workspaceId: workspace.id, ...input, by: user }),
    ),
  verifyDomain: adminProcedure
    .input(z.object({ domainId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      verifyDomain(systemResolver(), { workspaceId: workspace.id, ...input, by: user }),
    ),
  removeDomain: adminProcedure
    .input(z.object({ domainId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeDomain({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addMailbox: adminProcedure
    .input(z.object({ address: addressInput, name: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addMailbox({ workspaceId: workspace.id, ...input, by: user }),
    ),
  chooseDefaultMailbox: adminProcedure
    .input(z.object({ mailboxId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      chooseDefaultMailbox({ workspaceId: workspace.id, ...input, by: user }),
    ),
  renameMailbox: adminProcedure
    .input(z.object({ mailboxId: keyInput, name: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      renameMailbox({ workspaceId: workspace.id, ...input, by: user }),
    ),
  removeMailbox: adminProcedure
    .input(z.object({ mailboxId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeMailbox({ workspaceId: workspace.id, ...input, by: user }),
    ),
  /** The first steps of a new workspace that this role can take, or null once they are taken or dismissed. */
  setup: screenProcedure.query(({ ctx: { workspace } }) => getSetup(workspace)),
  dismissSetup: adminProcedure.mutation(({ ctx: { workspace, user } }) =>
    dismissSetup({ workspaceId: workspace.id, by: user }),
  ),
  plans: screenProcedure.query(
    async ({ ctx: { workspace } }): Promise<PlansView> => ({
      mayChange: workspace.role === 'owner',
      ...(await getPlans(db(), workspace.id)),
    }),
  ),
  changePlan: ownerProcedure
    .input(z.object({ plan: z.enum(Plan) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      changePlan({ workspaceId: workspace.id, ...input, by: user }),
    ),
  deletion: ownerProcedure.query(
    ({ ctx: { workspace } }): Promise<WorkspaceDeletionView> => getDeletion(db(), workspace.id),
  ),
  delete: ownerProcedure
    .input(z.object({ name: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteWorkspace({ workspaceId: workspace.id, ...input, by: user }),
    ),
});

/** Returns what would be deleted with a workspace, up to 999 conversations. */
async function getDeletion(db: Db, workspaceId: string): Promise<WorkspaceDeletionView> {
  const where = { workspaceId };
  const [workspace, teammates, connections, liveWorkflows, test, conversations] = await Promise.all([
    db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { name: true } }),
    db.member.count({ where }),
    db.connection.count({ where: { ...where, endedAt: null } }),
    db.hook.count({ where: { ...where, removedAt: null, connectionId: { not: null } } }),
    db.workspace.findFirst({ where: { testOfId: workspaceId, deletedAt: null }, select: { name: true } }),
    db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from (
        select from conversations where workspace_id = ${workspaceId}::uuid limit ${COUNTED_MAX + 1}::int) counted`,
  ]);
  return {
    ...workspace,
    teammates,
    connections,
    liveWorkflows,
    testName: test?.name ?? null,
    conversations: shown(conversations[0]?.count),
  };
}

type Shown = Extract<WorkspaceSettingsView, { kind: 'shown' }>;

const LANGUAGES = Object.entries(SEARCH_LANGUAGES).map(([code, name]) => ({ code, name }));

/** Returns the general settings of a workspace. */
async function getSettings(db: Db, workspaceId: string): Promise<Omit<Shown, 'kind' | 'mayDelete'>> {
  const settings = await db.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: {
      name: true,
      assignOnReply: true,
      askForRating: true,
      closeSolvedAfterDays: true,
      slaFirstResponseMinutes: true,
      slaResolutionMinutes: true,
      country: true,
      searchLanguage: true,
    },
  });
  return {
    ...settings,
    countries: [...COUNTRIES],
    languages: LANGUAGES,
    closeAfterDaysMax: CLOSE_AFTER_DAYS_MAX,
  };
}
