import { LockKeyhole } from 'lucide-react';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { roleName } from '#app/lib/role-name.ts';
import { pageContext } from '#server/screens/page-context.ts';

type Props = { role: string; workspaceName: string; ownConnections?: number };

/** Shown to agents and viewers instead of the integrations. */
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
              ? 'your connection. It will be disconnected'
              : `your ${ownConnections} connections. They will be disconnected`}{' '}
            the next time {platformName} refreshes a token or an event is sent.
          </p>
        ) : null}
      </EmptyState>
    </Card>
  );
}
