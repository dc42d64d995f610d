import type { Plan } from '#server/generated/prisma/enums.ts';

/** Terms of a plan. `slots` is null when unlimited (docs/spec.md §1). */
export type PlanTerms = {
  planName: string;
  slots: number | null;
  internalNotes: boolean;
  emailSending: boolean;
};

export const PLANS: Record<Plan, PlanTerms> = {
  starter: { planName: 'Starter', slots: 1, internalNotes: false, emailSending: false },
  growth: { planName: 'Growth', slots: 5, internalNotes: true, emailSending: true },
  business: { planName: 'Business', slots: 15, internalNotes: true, emailSending: true },
  scale: { planName: 'Scale', slots: null, internalNotes: true, emailSending: true },
};

/** Returns the name of the lowest plan with a feature. */
export function lowestPlanWith(feature: 'internalNotes' | 'emailSending'): string {
  return Object.values(PLANS).find((terms) => terms[feature])?.planName ?? PLANS.scale.planName;
}
