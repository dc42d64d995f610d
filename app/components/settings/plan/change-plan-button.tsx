'use client';

import { changePlan } from '#app/components/settings/plan/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import { pluralize } from '#app/lib/format-count.ts';
import type { PlanView } from '#server/screens/settings/views.ts';

type Props = { plan: PlanView; workspaceName: string };

/** Changes the plan after a confirmation that lists the features to be lost. */
export function ChangePlanButton({ plan: { plan, planName, slots, losses }, workspaceName }: Props) {
  const { run } = useAction(changePlan, {
    failed: 'Could not change the plan',
    done: `${workspaceName} is now on the ${planName} plan`,
  });
  return (
    <ConfirmDialog
      trigger={
        <Button className="w-full" aria-label={`Change to ${planName}`}>
          Change
        </Button>
      }
      title={`Change ${workspaceName} to the ${planName} plan?`}
      confirm={`Change to ${planName}`}
      variant={losses.length > 0 ? 'danger' : 'primary'}
      onConfirm={() => run(plan)}
    >
      {losses.length > 0 ? (
        <>
          <p>This takes effect immediately:</p>
          <ul className="grid list-disc gap-2 pl-5">
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          Nothing is lost. The workspace will have{' '}
          {slots === null ? 'unlimited integration slots' : pluralize(slots, 'integration slot')}.
        </p>
      )}
      <p>No payment is taken, and you can change the plan any time.</p>
    </ConfirmDialog>
  );
}
