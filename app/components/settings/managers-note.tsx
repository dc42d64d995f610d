import { LockKeyhole } from 'lucide-react';
import { roleName } from '#app/lib/role-name.ts';

type Props = { workspaceName: string; role: string; what: string; more?: string };

/** Why this teammate sees what is set up here and cannot change it. `what`: for example "change the flows"; `more`: a sentence after it. */
export function ManagersNote({ workspaceName, role, what, more }: Props) {
  return (
    <p className="flex max-w-[75ch] gap-2 text-ink-soft">
      <LockKeyhole aria-hidden size={16} className="mt-0.5 shrink-0" />
      <span>
        Owners and admins {what}. Your role in {workspaceName} is {roleName(role).toLowerCase()}, so ask one
        of them for changes.{more ? ` ${more}` : null}
      </span>
    </p>
  );
}
