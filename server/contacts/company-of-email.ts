import type { Db } from '#server/db.ts';

/** The company of the workspace that an address's domain belongs to, or null (spec.md §4.2, POST /contacts). */
export async function companyOfEmail(
  db: Db,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<{ id: string; name: string } | null> {
  const found = await db.companyDomain.findUnique({
    where: { workspaceId_domain: { workspaceId, domain: domainOf(email) } },
    select: { company: { select: { id: true, name: true } } },
    relationLoadStrategy: 'join',
  });
  return found?.company ?? null;
}

/** The domain of an address: what stands after its last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
