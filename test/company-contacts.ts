import { db } from '#server/core/database/db.ts';

/** A contact of a workspace with this address. @returns its id */
export async function knowContact(
  workspaceId: string,
  email: string | null,
  columns: object = {},
): Promise<string> {
  const data = { workspaceId, firstName: 'Ada', email, ...columns };
  return (await db().contact.create({ data, select: { id: true } })).id;
}

/** Many contacts with addresses of a domain. */
export async function knowContacts(
  workspaceId: string,
  {
    count,
    domain,
    ...columns
  }: { count: number; domain: string; companyId?: string; phone?: string; phoneDigits?: string },
): Promise<void> {
  const data = Array.from({ length: count }, (_, at) => ({
    workspaceId,
    email: `${at}@${domain}`,
    ...columns,
  }));
  await db().contact.createMany({ data });
}

/** The company that a contact works for. */
export async function companyOf(contactId: string): Promise<string | null> {
  return (await db().contact.findUniqueOrThrow({ where: { id: contactId } })).companyId;
}
