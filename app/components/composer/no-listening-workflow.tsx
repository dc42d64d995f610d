import Link from 'next/link';

/** Explains how to add commands and saved replies. */
export default function NoListeningWorkflow({
  platformName,
  isAdmin,
}: {
  platformName: string;
  isAdmin: boolean;
}) {
  const link = 'text-accent-ink underline underline-offset-2';
  return (
    <div className="grid gap-2">
      <p className="font-semibold">No commands yet</p>
      <p className="text-ink-soft">
        In {platformName}, create a workflow that starts with a command from this workspace, and turn it on.
        Its command then appears here.
      </p>
      <p className="text-ink-soft">
        For text that you send often, create a{' '}
        <Link href="/settings/saved-replies" className={link}>
          saved reply
        </Link>
        .
      </p>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        {isAdmin ? (
          <Link href="/settings/integrations" className={link}>
            Integrations
          </Link>
        ) : null}
        <Link href="/docs" className={link}>
          How to connect workflows
        </Link>
      </p>
    </div>
  );
}
