import Link from 'next/link';

/** Explains how to add commands and saved replies. */
export function NoListeningWorkflow({ platformName, isAdmin }: { platformName: string; isAdmin: boolean }) {
  const link = 'text-accent-ink underline underline-offset-2';
  return (
    <div className="grid gap-2">
      <p className="font-semibold">No commands yet</p>
      <p className="text-ink-soft">
        A command, such as /refund, starts a workflow in {platformName} from this conversation.{' '}
        {isAdmin ? (
          <>
            Create a workflow there whose trigger is a command, and turn it on. The way there is in{' '}
            <Link href="/settings/integrations" className={link}>
              Integrations
            </Link>
            .
          </>
        ) : (
          'Ask an owner or admin of your workspace to create one.'
        )}
      </p>
      <p className="text-ink-soft">
        For text that you send often, create a{' '}
        <Link href="/settings/saved-replies" className={link}>
          saved reply
        </Link>
        .
      </p>
    </div>
  );
}
