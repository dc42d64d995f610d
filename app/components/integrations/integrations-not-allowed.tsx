import { LockKeyhole } from 'lucide-react';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { roleName } from '#app/lib/role-name.ts';

/** Why a teammate does not see the integrations. */
export function IntegrationsNotAllowed({ role, workspaceName }: { role: string; workspaceName: string }) {
  return (
    <Card>
      <EmptyState icon={LockKeyhole} title="Only owners and admins can manage integrations">
        <p>
          An integration can read every conversation and reply, so this is for owners and admins. Your role in{' '}
          {workspaceName} is {roleName(role).toLowerCase()}. Ask an owner or admin if you need something
          connected.
        </p>
      </EmptyState>
    </Card>
  );
}
