import type { Db } from '#server/db.ts';

/** The company of the workspace that an address's domain belongs to, or null (spec.md §4.2, POST /contacts). */
export async function companyOfEmail(
  db: Db,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<string | null> {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const found = await db.companyDomain.findUnique({
    where: { workspaceId_domain: { workspaceId, domain } },
    select: { companyId: true },
  });
  return found?.companyId ?? null;
}
