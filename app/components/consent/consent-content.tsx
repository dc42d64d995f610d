import type { ReactElement } from 'react';
import { AskConsent } from '#app/components/consent/ask-consent.tsx';
import { Refusal, TooManyAttempts, UnknownClient } from '#app/components/consent/refusals.tsx';
import { RefusedRole, RefuseRole } from '#app/components/consent/role-refusals.tsx';
import { RefusedSlot, RefuseSlot } from '#app/components/consent/slot-refusals.tsx';
import type { ConsentView } from '#server/screens/consent/views.ts';

/** Renders each case of the consent page (docs/spec.md §4.1). */
export function ConsentContent({ view }: { view: ConsentView }): ReactElement {
  switch (view.kind) {
    case 'ask':
      return <AskConsent view={view} />;
    case 'not_allowed':
      return <RefuseRole view={view} />;
    case 'no_slot':
      return <RefuseSlot view={view} />;
    case 'unknown_client':
      return <UnknownClient {...view} />;
    case 'too_many':
      return <TooManyAttempts view={view} />;
    case 'no_workspace':
      if (view.closed.length > 0) return <ClosedWorkspaces view={view} />;
      return (
        <Refusal title="You are not in a workspace" next={{ label: 'Continue', href: '/no-workspace' }}>
          <p>
            {view.platformName} connects to a workspace, and you are not a member of one. Ask an owner or
            admin of your team’s workspace to invite you, then start again from {view.platformName}.
          </p>
        </Refusal>
      );
    case 'stale_form':
      return (
        <Refusal
          title="This page is out of date"
          next={{ label: 'Start again', href: view.retryUrl }}
          cancel={view.cancel}
        >
          <p>
            It was already used, was open for too long, or belongs to another sign-in. If you have just
            selected Connect, check in {view.platformName} whether it is connected. Otherwise start again.
          </p>
        </Refusal>
      );
    case 'switched':
      return (
        <Refusal
          title="Another workspace is open now"
          next={{ label: 'Try again', href: view.retryUrl }}
          cancel={view.cancel}
        >
          <p>
            You switched workspaces in another tab after opening this page. Nothing was connected, to avoid
            connecting{` ${view.platformName} `}to the wrong workspace. Try again and choose the workspace.
          </p>
        </Refusal>
      );
    case 'refused_role':
      return <RefusedRole view={view} />;
    case 'refused_slot':
      return <RefusedSlot view={view} />;
    case 'fault':
      return (
        <Refusal
          title="Something went wrong"
          {...(view.retryUrl ? { next: { label: 'Try again', href: view.retryUrl } } : {})}
        >
          <p>
            Something went wrong on our side, and {view.platformName} was not connected. Wait a moment and try
            again. If it keeps happening, contact the administrator of {view.serviceName}.
          </p>
        </Refusal>
      );
  }
}

/** Shown when every workspace of the teammate is closed to this session. The next page says what each of them needs. */
function ClosedWorkspaces({ view }: { view: Extract<ConsentView, { kind: 'no_workspace' }> }) {
  const { closed, platformName } = view;
  const isOne = closed.length === 1;
  return (
    <Refusal
      title={isOne ? 'Your workspace is not open yet' : 'Your workspaces are not open yet'}
      next={{ label: 'Continue', href: '/no-workspace' }}
    >
      <p>
        {new Intl.ListFormat('en-GB').format(closed)} {isOne ? 'needs' : 'need'} two-factor authentication or
        another way of signing in. Continue to see what to do, then start again from {platformName}.
      </p>
    </Refusal>
  );
}
