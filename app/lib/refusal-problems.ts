import { errorMessage } from '#app/lib/error-message.ts';

/** Why a form was refused: a sentence for each field that is at fault, or one about the whole. */
export type Problems = { whole: string | null; fields: Record<string, string> };

/** What a procedure refused a form with; the sentences that name a field are under its name. */
export function refusalProblems(error: unknown): Problems {
  const fields = fieldSentences(error);
  return { whole: Object.keys(fields).length > 0 ? null : errorMessage(error), fields };
}

function fieldSentences(error: unknown): Record<string, string> {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('refusal' in current && 'errors' in current) return firstSentences(current.errors);
  }
  return {};
}

function firstSentences(errors: unknown): Record<string, string> {
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, sentences]: [string, unknown]) => {
      const first: unknown = Array.isArray(sentences) ? sentences[0] : undefined;
      return typeof first === 'string' ? [[field, first]] : [];
    }),
  );
}
