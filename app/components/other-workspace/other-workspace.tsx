import { Building2 } from 'lucide-react';
import { OpenThereForm } from '#app/components/other-workspace/open-there-form.tsx';
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
};

/** A link led into another workspace of the teammate, which they open from here (decisions: conversations and contacts, 16). */
export function OtherWorkspace({ what, workspace, open, path }: Props) {
  return (
    <div className="w-full min-w-0 grow self-center [overflow-wrap:anywhere]">
      <EmptyState
        icon={Building2}
        title={`${SUBJECTS[what]} is in ${workspace.name}`}
        action={<OpenThereForm workspace={workspace} path={path} />}
      >
        <p>That is another workspace of yours. {open.name} is open now.</p>
      </EmptyState>
    </div>
  );
}
