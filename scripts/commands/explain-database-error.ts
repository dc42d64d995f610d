import { codeOf, reasonOf, UserError } from '#scripts/tools/user-error.ts';

/** What Prisma calls a table or column that is not there, and PostgreSQL's own codes for them. */
const MISSING: ReadonlySet<string> = new Set(['P2021', 'P2022', '42P01', '42703']);
/** How Prisma's codes of failed connections begin, and what Node calls them. */
const CANNOT_CONNECT = /^(P1|ECONN|ENOTFOUND|ETIMEDOUT|EAI_)/;

/** What a program says when the database of `DATABASE_URL` cannot be used; any other error comes back as it is. */
export function explainDatabaseError(error: unknown): unknown {
  const code = codeOf(error) ?? '';
  if (MISSING.has(code)) {
    return new UserError(
      'The database does not have all tables of this version yet: run npm run db:migrate first.',
    );
  }
  if (CANNOT_CONNECT.test(code)) {
    return new UserError(
      `The database cannot be reached (${reasonOf(error)}): check DATABASE_URL and that PostgreSQL is running.`,
    );
  }
  return error;
}
