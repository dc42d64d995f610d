import { refusalIn } from '#server/core/errors.ts';

/** The sentences that something was refused with, by field, or the one about the whole; undefined when it was not. */
export async function errorsOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  const refusal = refusalIn(error);
  if (error !== undefined && !refusal) throw error;
  return refusal?.errors ?? refusal?.message;
}
