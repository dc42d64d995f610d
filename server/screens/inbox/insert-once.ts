import { isUniqueViolation } from '#server/core/database/errors.ts';
import { sql } from '#server/core/database/sql.ts';
import { invalid, refusalIn } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

const IN_USE = 'This could not be saved under its id. Reload the page and try again.';

/** Tables with rows under ids of pages, and the condition that the teammate inserted the row. */
const IS_OWN = {
  notes: (userId: string) => Prisma.sql`author_id = ${userId}::uuid`,
  messages: (userId: string) => Prisma.sql`author_id = ${userId}::uuid`,
  command_runs: (userId: string) => Prisma.sql`operator_id = ${userId}::uuid`,
  conversations: () => Prisma.sql`true`,
};

/**
 * Runs a change that inserts a row under an id from the page, once. A page that lost the response repeats its request with
 * the same id. The primary key then fails the second transaction, also if both requests run at the same time. Some repeated
 * requests are refused earlier, for example because their files are already linked. Both count as success if the row is the
 * teammate's own.
 * @throws Refusal when the id belongs to another row
 */
export async function insertOnce(
  table: keyof typeof IS_OWN,
  { workspaceId, userId, id }: { workspaceId: string; userId: string; id: string },
  insert: () => Promise<unknown>,
): Promise<void> {
  try {
    await insert();
  } catch (error) {
    const isTaken = isUniqueViolation(error);
    if (!isTaken && !refusalIn(error)) throw error;
    const own = await sql().$queryRaw<unknown[]>`
      select 1 from ${Prisma.raw(table)}
      where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and ${IS_OWN[table](userId)}`;
    if (own.length === 0) throw isTaken ? invalid({ id: [IN_USE] }) : error;
  }
}
