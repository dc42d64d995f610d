import type { Plan } from '#server/generated/prisma/enums.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';

/** How long a note may be, in characters (spec.md §8). */
export const NOTE_MAX_LENGTH = 10_000;

/** Why teammates on a plan cannot add notes, as a sentence, or undefined when they can (spec.md §1, who may connect, 3). */
export function notesProblem(plan: Plan): string | undefined {
  if (PLANS[plan].internalNotes) return undefined;
  return `Internal notes need the ${lowestPlanWith('internalNotes')} plan or higher.`;
}
