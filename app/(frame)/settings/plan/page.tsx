import type { Metadata } from 'next';
import { PlanCard } from '#app/components/plan/plan-card.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { PageHeader } from '#app/components/ui/page-header.tsx';
import { requireWorkspace } from '#app/data/require-workspace.ts';
import { plans } from '#server/connections/screens.ts';
import { pageContext } from '#server/page-context.ts';

export const metadata: Metadata = { title: 'Plan' };

export default async function PlanPage() {
  const { workspace } = await requireWorkspace('/settings/plan');
  const { platformName } = pageContext();
  return (
    <PageBody wide>
      <PageHeader title="Plan">
        {workspace.name} is on the {workspace.planName} plan. This is what each plan includes for
        integrations.
      </PageHeader>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {plans.map((plan) => (
          <PlanCard key={plan.plan} terms={plan} current={plan.plan === workspace.plan} />
        ))}
      </ul>
      <div className="mt-6 grid max-w-[65ch] gap-2 text-ink-soft">
        <p>
          All connections to {platformName} share one slot, however many teammates connect. E-mail is sent
          once the workspace has a verified e-mail domain.
        </p>
        <p>
          {workspace.role === 'owner'
            ? `You are an owner of ${workspace.name}, so its plan is yours to decide. It cannot be changed on this page yet.`
            : `The plan is decided by the owners of ${workspace.name}. Ask one of them if you need another.`}
        </p>
      </div>
    </PageBody>
  );
}
