import type { Tx } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { PLANS } from '#server/teammates/plans.ts';

/** The kind of integration that all connections of the platform share (decisions: OAuth, 2). */
export const PLATFORM_INTEGRATION = 'automation';

/** What must be selected of a workspace to judge its slots. */
const slotsSelect = { plan: true, integrations: { select: { kind: true } } } as const;

/** Whether a workspace has a slot for the platform: the one it already holds, or a free one. */
export function hasFreeSlot(workspace: { plan: Plan; integrations: { kind: string }[] }): boolean {
  const { slots } = PLANS[workspace.plan];
  return (
    slots === null ||
    workspace.integrations.length < slots ||
    workspace.integrations.some(({ kind }) => kind === PLATFORM_INTEGRATION)
  );
}

/**
 * Takes the workspace's integration slot for the platform, or shares the one it holds. The caller holds the
 * workspace's lock, so slots are never oversold.
 * @returns the integration's id, or null when no slot of the plan is free
 */
export async function takeSlot(tx: Tx, workspaceId: string): Promise<string | null> {
  const workspace = await tx.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: slotsSelect,
    relationLoadStrategy: 'join',
  });
  if (!hasFreeSlot(workspace)) return null;
  const kind = PLATFORM_INTEGRATION;
  const { id } = await tx.integration.upsert({
    where: { workspaceId_kind: { workspaceId, kind } },
    create: { workspaceId, kind, name: settings().PLATFORM_NAME },
    update: {},
    select: { id: true },
  });
  return id;
}
