import { LockKeyhole } from 'lucide-react';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { roleName } from '#app/lib/role-name.ts';

/** Shown to viewers instead of the contact form. */
export function FormNotAllowed({ role, workspaceName }: { role: string; workspaceName: string }) {
  return (
    <Card>
      <EmptyState icon={LockKeyhole} title="You can view contacts but not edit them">
        <p>
          Your role in {workspaceName} is {roleName(role).toLowerCase()}. Ask an owner or admin for another
          role if you need to add or edit contacts.
        </p>
      </EmptyState>
    </Card>
  );
}
