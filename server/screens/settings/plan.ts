import type { Db } from '#server/core/database/prisma.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import type { PlanView } from '#server/screens/settings/views.ts';
import { PLANS } from '#server/teammates/plans.ts';

type Standing = { plan: Plan; slotsUsed: number; hasVerifiedDomain: boolean };

/** Returns the plans, smallest first, with the losses that each would cause for the workspace. */
export async function getPlans(
  db: Db,
  workspaceId: string,
): Promise<{ slotsUsed: number; plans: PlanView[] }> {
  const { plan, _count, emailDomains } = await db.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: {
      plan: true,
      _count: { select: { integrations: true } },
      emailDomains: { where: { verifiedAt: { not: null } }, select: { id: true }, take: 1 },
    },
    relationLoadStrategy: 'join',
  });
  const slotsUsed = _count.integrations;
  const standing = { plan, slotsUsed, hasVerifiedDomain: emailDomains.length > 0 };
  const plans = (Object.keys(PLANS) as Plan[]).map((each) => ({
    plan: each,
    ...PLANS[each],
    isCurrent: each === plan,
    losses: each === plan ? [] : lossesOf(each, standing),
  }));
  return { slotsUsed, plans };
}

/** Returns what a workspace would lose on another plan. Excess integrations stay (docs/rulings.md 4.2). */
export function lossesOf(plan: Plan, { plan: present, slotsUsed, hasVerifiedDomain }: Standing): string[] {
  const { slots, internalNotes, emailSending } = PLANS[plan];
  const before = PLANS[present];
  const over = slots !== null && slotsUsed > slots;
  return [
    ...(over
      ? [
          `${slotsUsed} integrations are in use, and this plan has ${slots} ${slots === 1 ? 'slot' : 'slots'}. They stay connected, but nothing new can be connected until ${slots === 1 ? 'none is' : `fewer than ${slots} are`} in use.`,
        ]
      : []),
    ...(before.internalNotes && !internalNotes
      ? ['Internal notes can no longer be added. Existing notes stay.']
      : []),
    ...(before.emailSending && !emailSending && hasVerifiedDomain
      ? ['Emails are saved in their conversation but no longer sent.']
      : []),
  ];
}
