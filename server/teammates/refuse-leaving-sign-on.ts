import type { Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';

/**
 * Refuses an address outside of the domains of a workspace that requires single sign-on of this account. With such an address, its
 * password would open the workspace.
 * @throws Refusal under `email`
 */
export async function refuseLeavingSignOn(
  tx: Tx,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const [required] = await tx.$queryRaw<{ name: string }[]>`
    select w.name from users u
    join members m on m.user_id = u.id and m.role <> 'owner'
    join workspaces w on w.id = m.workspace_id and w.deleted_at is null
    join single_sign_ons c on c.workspace_id = w.id and c.required_at is not null
    join sign_on_domains d on d.workspace_id = w.id and d.verified_at is not null
      and d.domain = split_part(u.email, '@', 2)
    where u.id = ${userId}::uuid and not exists (
      select from sign_on_domains o where o.workspace_id = w.id and o.verified_at is not null
        and o.domain = split_part(${email}, '@', 2))
    order by w.name limit 1`;
  if (!required) return;
  const sentence = `${required.name} requires single sign-on for your address. Choose an address in one of its domains, or ask an owner.`;
  throw invalid({ email: [sentence] });
}
