import { Building2 } from 'lucide-react';
import Link from 'next/link';
import { SwitchThereForm } from '#app/components/shell/workspace-switcher.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

const SUBJECTS = { conversation: 'This conversation', contact: 'This contact', plan: 'This plan' };

type Props = {
  what: keyof typeof SUBJECTS;
  /** Where it is. */
  workspace: { id: string; name: string };
  /** Which one is open. */
  open: { name: string };
  /** The address to open there. */
  path: string;
  /** Where to go instead, for pages that a phone shows alone. */
  backHref?: string;
};

/** A link led into another workspace of the teammate, which they open from here (decisions: conversations and contacts, 16). */
export function OtherWorkspace({ what, workspace, open, path, backHref }: Props) {
  const title = `${SUBJECTS[what]} is in ${workspace.name}`;
  return (
    <div className="w-full min-w-0 grow self-center [overflow-wrap:anywhere]">
      {/* The inbox has a heading of its own. */}
      {what === 'conversation' ? null : <h1 className="sr-only">{title}</h1>}
      <EmptyState
        icon={Building2}
        title={title}
        action={
          <div className="grid justify-items-center gap-3">
            <SwitchThereForm workspace={workspace} path={path} />
            {backHref ? (
              <Link href={backHref} className="font-medium text-accent-ink text-list hover:underline">
                Stay in {open.name}
              </Link>
            ) : null}
          </div>
        }
      >
        <p>You are a member of that workspace, too. {open.name} is open now.</p>
      </EmptyState>
    </div>
  );
}
