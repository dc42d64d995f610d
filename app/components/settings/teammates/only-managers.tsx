import { LockKeyhole } from 'lucide-react';
import { roleName } from '#app/lib/role-name.ts';

/** Why this teammate sees everybody and changes nobody. */
export function OnlyManagers({ workspaceName, role }: { workspaceName: string; role: string }) {
  return (
    <p className="flex max-w-[75ch] gap-2 text-ink-soft">
      <LockKeyhole aria-hidden size={16} className="mt-0.5 shrink-0" />
      <span>
        Owners and admins invite and remove teammates and change roles. Your role in {workspaceName} is{' '}
        {roleName(role).toLowerCase()}, so ask one of them for changes. You can leave at any time.
      </span>
    </p>
  );
}
