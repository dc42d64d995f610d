import { hasFreeSlot } from '#server/automation/connections/slots.ts';
import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { issueConsentForm, toFormFields } from '#server/automation/oauth/consent-form.ts';
import type {
  Askable,
  ConsentNames,
  ConsentView,
  ConsentWorkspace,
  EarlierApproval,
} from '#server/automation/oauth/consent-view.ts';
import { batchReads, type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { PLANS } from '#server/teammates/plans.ts';
import { ADMIN_ROLES } from '#server/teammates/roles.ts';
import type { MemberWorkspace, SignedIn } from '#server/teammates/signed-in.ts';

/** Path of the consent page and of its form's action. */
export const AUTHORIZE_PATH = '/oauth/authorize';

export function consentNames(): ConsentNames {
  const { PLATFORM_NAME, SERVICE_NAME } = settings();
  return { platformName: PLATFORM_NAME, serviceName: SERVICE_NAME };
}

/**
 * Returns the consent page for a signed-in teammate and a valid request (docs/spec.md §4.1). If the teammate
 * may not connect the open workspace, or it has no free slot, the page shows that and offers the teammate's
 * other workspaces.
 * @param parameters the authorize request as received, which the form posts back
 */
export async function consentPage(
  signedIn: SignedIn,
  request: AuthorizeRequest,
  parameters: URLSearchParams,
): Promise<ConsentView> {
  const { workspace: open, user, closedWorkspaces, lockedWorkspaces } = signedIn;
  if (!open) {
    const closed = [...closedWorkspaces, ...lockedWorkspaces.map(({ name }) => name)];
    return { kind: 'no_workspace', closed, ...consentNames() };
  }
  const reads = batchReads();
  const [workspaces, earlier, secret] = await Promise.all([
    connectable(reads, signedIn),
    findEarlierApproval(reads, { userId: user.id, request }),
    issueConsentForm({ userId: user.id, workspaceId: open.id, request }),
  ]);
  const common = {
    ...consentNames(),
    workspace: { id: open.id, name: open.name },
    teammate: { name: user.name, email: user.email },
    form: {
      action: AUTHORIZE_PATH,
      fields: [...toFormFields(parameters), { name: 'form', value: secret }],
      workspaces,
    },
  };
  const chosen = workspaces.find(({ id }) => id === open.id);
  if (!chosen)
    return {
      kind: 'not_allowed',
      role: open.role,
      owners: await findAskable(open.id, ADMIN_ROLES),
      ...common,
    };
  if (!chosen.hasFreeSlot) return { kind: 'no_slot', ...(await upgradeDetails(open)), ...common };
  return { kind: 'ask', earlier, ...common };
}

/** Returns the plan, and who may upgrade it, for a page about missing slots. */
export async function upgradeDetails({ id, plan, role }: MemberWorkspace) {
  return {
    planName: PLANS[plan].planName,
    isOwner: role === 'owner',
    owners: await findAskable(id, ['owner']),
  };
}

/** Returns the workspaces that the teammate may connect in this session, the open one first. */
function connectable(db: ReadDb, { user, workspace, workspaces }: SignedIn): Promise<ConsentWorkspace[]> {
  const statement = Prisma.sql`
    select w.id, w.name, w.plan,
      (select coalesce(json_agg(json_build_object('kind', i.kind)), '[]')
        from integrations i where i.workspace_id = w.id) as integrations
    from members m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${user.id}::uuid and m.role = any(${[...ADMIN_ROLES]}::role[]) and w.deleted_at is null
      and w.id = any(${workspaces.map(({ id }) => id)}::uuid[])
    order by w.name, w.id`;
  return runRead(
    db,
    statement,
    (found: ({ id: string; name: string } & Parameters<typeof hasFreeSlot>[0])[]) =>
      found
        .map(({ id, name, ...slots }) => ({ id, name, hasFreeSlot: hasFreeSlot(slots) }))
        .sort((a, b) => Number(b.id === workspace?.id) - Number(a.id === workspace?.id)),
  );
}

/**
 * Finds an earlier approval of the same request, as after `Back`: a challenge belongs to one attempt to
 * connect (RFC 7636 §4.1). A request without a challenge cannot be recognized. Approving again stays
 * possible, as the platform need not use distinct requests, but the page shows the earlier approval.
 */
async function findEarlierApproval(
  db: ReadDb,
  { userId, request: { challenge } }: { userId: string; request: AuthorizeRequest },
): Promise<EarlierApproval | null> {
  if (!challenge) return null;
  const statement = Prisma.sql`
    select w.name as "workspaceName", c.exchanged_at is null as "isWaiting"
    from connections c left join workspaces w on w.id = c.workspace_id
    where c.user_id = ${userId}::uuid and c.ended_at is null and exists (
      select from authorization_codes a where a.connection_id = c.id
        and a.code_challenge = ${challenge.value} and a.challenge_method = ${challenge.method}::challenge_method)
    order by c.created_at desc limit 1`;
  return runRead(db, statement, ([found]: (EarlierApproval | { workspaceName: null })[]) =>
    found && found.workspaceName !== null ? found : null,
  );
}

const NAMED_MAX = 3;

/** Returns members of a workspace with one of these roles to contact: owners first, then by name. */
export async function findAskable(workspaceId: string, roles: readonly Role[]): Promise<Askable[]> {
  const owners = await db().member.findMany({
    where: { workspaceId, role: { in: [...roles] } },
    select: { user: { select: { name: true, email: true } } },
    orderBy: [{ role: 'asc' }, { user: { name: 'asc' } }, { userId: 'asc' }],
    take: NAMED_MAX,
    relationLoadStrategy: 'join',
  });
  return owners.map(({ user }) => user);
}
