import { LockKeyhole } from 'lucide-react';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { roleName } from '#app/lib/role-name.ts';
import { pageContext } from '#server/screens/page-context.ts';

type Props = { role: string; workspaceName: string; ownConnections?: number };

/** Why a teammate does not see the integrations, and what became of connections they made before. */
export function IntegrationsNotAllowed({ role, workspaceName, ownConnections = 0 }: Props) {
  const { platformName } = pageContext();
  return (
    <Card>
      <EmptyState icon={LockKeyhole} title="Only owners and admins can manage integrations">
        <p>
          Integrations can read every conversation and reply, so only owners and admins manage them. Your role
          in {workspaceName} is {roleName(role).toLowerCase()}. Ask an owner or admin if you need something
          connected.
        </p>
        {ownConnections > 0 ? (
          <p>
            Workflows in {platformName} can no longer use{' '}
            {ownConnections === 1
              ? 'your connection. It ends'
              : `your ${ownConnections} connections. Each ends`}{' '}
            the next time {platformName} renews it or an event is sent.
          </p>
        ) : null}
      </EmptyState>
    </Card>
  );
}
