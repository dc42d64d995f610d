import { isUniqueViolation } from '#server/core/database/errors.ts';
import { invalid, refusalIn } from '#server/core/errors.ts';

const IN_USE = 'This could not be saved under its id. Reload the page and try again.';

/**
 * Runs a change that inserts a row under an id from the page, once. A page that lost the response repeats its request with
 * the same id. The primary key then fails the second transaction, also if both requests run at the same time. Some repeated
 * requests are refused earlier, for example because their files are already linked. In both cases returns the first result.
 * @param insert one transaction, or several, the first of which inserts the row
 * @param given.id undefined for callers without an id, whose change always runs
 * @param given.findEarlier returns the result of an earlier request, null if the row belongs to another workspace or author
 * @throws Refusal when the id belongs to such a row
 */
export async function insertOnce<T>(
  insert: () => Promise<T>,
  given: { id: string | undefined; findEarlier: (id: string) => Promise<T | null> },
): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    const isTaken = isUniqueViolation(error);
    if (given.id === undefined || !(isTaken || refusalIn(error))) throw error;
    const earlier = await given.findEarlier(given.id);
    if (earlier !== null) return earlier;
    throw isTaken ? invalid({ id: [IN_USE] }) : error;
  }
}
