import Link from 'next/link';

/** Why there is nothing to run, and how to get something. */
export function NoListeningWorkflow({ platformName }: { platformName: string }) {
  const link = 'text-accent-ink underline underline-offset-2';
  return (
    <div className="grid gap-2">
      <p className="font-semibold">No workflow listens for commands yet</p>
      <p className="text-ink-soft">
        In {platformName}, create a workflow that starts with a workflow command from this workspace and turn
        it on. Its command then appears here.
      </p>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <Link href="/settings/integrations" className={link}>
          Integrations
        </Link>
        <Link href="/docs" className={link}>
          How to connect workflows
        </Link>
      </p>
    </div>
  );
}
