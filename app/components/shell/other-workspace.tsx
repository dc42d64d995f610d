import { Building2 } from 'lucide-react';
import Link from 'next/link';
import { SwitchThere } from '#app/components/shell/switch-there.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

const SUBJECTS = { conversation: 'This conversation', contact: 'This contact', plan: 'This plan' };

type Props = {
  what: keyof typeof SUBJECTS;
  /** The workspace that contains the record. */
  workspace: { id: string; name: string };
  /** The open workspace. */
  open: { name: string };
  /** The path to open after the switch. */
  path: string;
  /** Link to stay in the open workspace, for single-pane phone layouts. */
  backHref?: string;
};

/** Shown when a link leads to a record in another workspace of the teammate. Offers to switch. */
export function OtherWorkspace({ what, workspace, open, path, backHref }: Props) {
  const title = `${SUBJECTS[what]} is in ${workspace.name}`;
  return (
    <div className="w-full min-w-0 grow self-center [overflow-wrap:anywhere]">
      {/* The inbox already has a heading. */}
      {what === 'conversation' ? null : <h1 className="sr-only">{title}</h1>}
      <EmptyState
        icon={Building2}
        title={title}
        action={
          <div className="grid justify-items-center gap-3">
            <SwitchThere workspace={workspace} path={path} />
            {backHref ? (
              <Link href={backHref} className="font-medium text-accent-ink text-list hover:underline">
                Stay in {open.name}
              </Link>
            ) : null}
          </div>
        }
      >
        <p>You’re a member of that workspace too. You have {open.name} open.</p>
      </EmptyState>
    </div>
  );
}
