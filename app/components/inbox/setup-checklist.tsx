'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useId } from 'react';
import { change } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import { cx } from '#app/lib/cx.ts';
import type { SetupStep } from '#server/screens/settings/views.ts';

/** Ends the checklist of the first steps for everyone in the workspace. */
const dismissSetup = change(({ workspaces }) => workspaces.dismissSetup.mutate());

type Props = {
  workspaceName: string;
  platformName: string;
  mayDismiss: boolean;
  /** Shown once there is no checklist. */
  otherwise?: ReactNode;
};

/** The first steps of a new workspace. Shows `otherwise` once they are taken or dismissed. */
export function SetupChecklist({ workspaceName, platformName, mayDismiss, otherwise = null }: Props) {
  const screens = useScreens();
  const queries = useQueryClient();
  const queryKey = ['workspaces.setup'];
  const titleId = useId();
  const { data: steps, isPending } = useQuery({
    queryKey,
    queryFn: ({ signal }) => screens.workspaces.setup.query(undefined, { signal }),
  });
  const { pending, start } = useAction(dismissSetup, {
    failed: 'Could not dismiss the checklist',
    done: () => {
      queries.setQueryData(queryKey, null);
      return undefined;
    },
  });
  if (isPending) return null;
  if (!steps) return otherwise;
  const done = steps.filter((step) => step.done).length;
  return (
    <section aria-labelledby={titleId} className="mx-auto grid w-full max-w-md gap-4 rounded-lg border p-5">
      <div className="flex items-start justify-between gap-3">
        <div className="grid gap-0.5">
          <h2 id={titleId} className="text-base">
            Set up {workspaceName}
          </h2>
          <p className="text-ink-soft text-list">
            {done} of {steps.length} done
          </p>
        </div>
        {mayDismiss ? (
          <Button variant="quiet" aria-busy={pending} onClick={() => start()}>
            Dismiss
          </Button>
        ) : null}
      </div>
      <ol className="grid gap-3">
        {steps.map((step) => (
          <Step key={step.step} step={step} platformName={platformName} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step: { step, done }, platformName }: { step: SetupStep; platformName: string }) {
  const { title, hint, href } = textsOf(step, platformName);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5">
      <span
        aria-hidden
        className={cx(
          'mt-0.5 inline-flex size-4.5 items-center justify-center rounded-full border',
          done ? 'border-good text-good' : 'border-line-control',
        )}
      >
        {done ? <Check size={12} strokeWidth={3} /> : null}
      </span>
      <div className="grid gap-0.5">
        {done ? (
          <p className="text-ink-soft">
            {title}
            <span className="sr-only">, done</span>
          </p>
        ) : (
          <>
            {href ? (
              <Link
                href={href}
                prefetch={false}
                className="w-fit font-medium text-accent-ink hover:underline"
              >
                {title}
              </Link>
            ) : (
              <p className="font-medium">{title}</p>
            )}
            <p className="text-pretty text-ink-soft text-list">{hint}</p>
          </>
        )}
      </div>
    </li>
  );
}

function textsOf(step: SetupStep['step'], platformName: string) {
  switch (step) {
    case 'email':
      return {
        title: 'Receive email',
        hint: 'Add a domain and a mailbox, then send a test email.',
        href: '/settings/channels/email',
      };
    case 'teammates':
      return {
        title: 'Invite a teammate',
        hint: 'They get a link to create their account.',
        href: '/settings/teammates',
      };
    case 'chat':
      return {
        title: 'Add the web chat',
        hint: 'Paste one line into your website, or connect another channel.',
        href: '/settings/web-chat',
      };
    case 'reply':
      return {
        title: 'Reply to a contact',
        hint: 'Open a conversation from the list and write a reply.',
        href: null,
      };
    case 'platform':
      return {
        title: `Connect ${platformName}`,
        hint: 'Build workflows there that start with events here, such as a new conversation.',
        href: '/settings/integrations',
      };
  }
}
