import type { Metadata } from 'next';
import { PlanCard, planHeadingId } from '#app/components/settings/plan/plan-card.tsx';
import { OtherWorkspace } from '#app/components/shell/other-workspace.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { roleName } from '#app/lib/role-name.ts';
import { pageContext } from '#server/screens/page-context.ts';

export const metadata: Metadata = { title: 'Plan' };

const PATH = '/settings/plan';

/** `?workspace=` selects the workspace, which may differ from the one that is open. */
export default async function PlanPage({ searchParams }: { searchParams: Query }) {
  const requestedId = firstParam((await searchParams).workspace);
  const { workspace, workspaces } = await requireWorkspace(
    requestedId ? `${PATH}?workspace=${encodeURIComponent(requestedId)}` : PATH,
  );
  const other = workspaces.find(({ id }) => id === requestedId && id !== workspace.id);
  if (other)
    return <OtherWorkspace what="plan" workspace={other} open={workspace} path={PATH} backHref={PATH} />;
  const { platformName } = pageContext();
  const { mayChange, slotsUsed, plans } = await (await getScreens()).workspaces.plans();
  return (
    <PageBody>
      <PageHeader title="Plan">
        {workspace.name} is on the {workspace.planName} plan and uses{' '}
        {pluralize(slotsUsed, 'integration slot')}. Compare what each plan includes.
      </PageHeader>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {plans.map((plan) => (
          <PlanCard key={plan.plan} plan={plan} mayChange={mayChange} workspaceName={workspace.name} />
        ))}
      </ul>
      <FocusWhenLost on={workspace.plan} goTo={planHeadingId(workspace.plan)} />
      <div className="mt-6 grid max-w-[65ch] gap-2 text-ink-soft">
        <p>
          All connections to {platformName} share one slot, however many teammates connect. Email is sent once
          the workspace has a verified email domain.
        </p>
        <p>
          {mayChange
            ? `You are an owner of ${workspace.name}, so you can change its plan. Changes apply immediately.`
            : `Only an owner of ${workspace.name} can change its plan, and your role here is ${roleName(workspace.role).toLowerCase()}. Ask an owner if you need another plan.`}
        </p>
      </div>
    </PageBody>
  );
}
