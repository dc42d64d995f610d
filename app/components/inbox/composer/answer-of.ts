import { refusalProblems } from '#app/lib/refusal-problems.ts';

/** What a change in the composer came to: done, or a sentence for a field or the whole. */
export type Refused = { problem: string; fields: Record<string, string> };

/** Why a procedure refused. `problem` is always a sentence; `fields` has it under the fields that it names. */
export function refusedBy(error: unknown): Refused {
  const { whole, fields } = refusalProblems(error);
  return { problem: whole ?? Object.values(fields)[0] ?? '', fields };
}
