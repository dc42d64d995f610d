import { findOwners } from '#server/automation/connections/find-owners.ts';
import { hasFreeSlot, slotsSelect } from '#server/automation/connections/take-slot.ts';
import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { issueConsentForm } from '#server/automation/oauth/consent-form.ts';
import type { ConsentNames, ConsentView, ConsentWorkspace } from '#server/automation/oauth/consent-view.ts';
import { findEarlierApproval } from '#server/automation/oauth/find-earlier-approval.ts';
import { toFormFields } from '#server/automation/oauth/form-fields.ts';
import { db } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';
import { PLANS } from '#server/people/teammates/plans.ts';
import { MANAGING_ROLES } from '#server/people/teammates/roles.ts';
import type { MemberWorkspace, SignedIn } from '#server/people/teammates/signed-in.ts';

/** Where the consent page is, and where its form is posted to. */
export const AUTHORIZE_PATH = '/oauth/authorize';

/** The names in every card. */
export function consentNames(): ConsentNames {
  const { PLATFORM_NAME, SERVICE_NAME } = settings();
  return { platformName: PLATFORM_NAME, serviceName: SERVICE_NAME };
}

/**
 * The consent page for a signed-in teammate and a valid request (spec.md §4.1). Not allowed, or no free slot, in
 * the open workspace: the page says so and offers the teammate's other workspaces.
 * @param parameters the authorize request as it came, which the form posts back
 */
export async function consentPage(
  signedIn: SignedIn,
  request: AuthorizeRequest,
  parameters: URLSearchParams,
): Promise<ConsentView> {
  const { workspace: open, user } = signedIn;
  if (!open) return { kind: 'no_workspace', ...consentNames() };
  const workspaces = await connectable(signedIn);
  const secret = await issueConsentForm({ userId: user.id, workspaceId: open.id, request });
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
  if (!chosen) return { kind: 'not_allowed', owners: await findOwners(db(), open.id), ...common };
  if (!chosen.hasFreeSlot) return { kind: 'no_slot', ...(await whoUpgrades(open)), ...common };
  return { kind: 'ask', earlier: await findEarlierApproval(user.id, request), ...common };
}

/** What a page about a plan without a free slot says of the plan and of who may change it. */
export async function whoUpgrades({ id, plan, role }: MemberWorkspace) {
  return {
    planName: PLANS[plan].planName,
    isOwner: role === 'owner',
    owners: await findOwners(db(), id),
  };
}

/** The workspaces that the teammate may connect, the open one first. */
async function connectable({ user, workspace }: SignedIn): Promise<ConsentWorkspace[]> {
  const memberships = await db().member.findMany({
    where: { userId: user.id, role: { in: [...MANAGING_ROLES] }, workspace: { deletedAt: null } },
    select: { workspace: { select: { id: true, name: true, ...slotsSelect } } },
    orderBy: [{ workspace: { name: 'asc' } }, { workspaceId: 'asc' }],
    relationLoadStrategy: 'join',
  });
  return memberships
    .map((member) => ({
      id: member.workspace.id,
      name: member.workspace.name,
      hasFreeSlot: hasFreeSlot(member.workspace),
    }))
    .sort((a, b) => Number(b.id === workspace?.id) - Number(a.id === workspace?.id));
}
