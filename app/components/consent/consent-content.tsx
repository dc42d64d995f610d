import { AskConsent } from '#app/components/consent/ask-consent.tsx';
import { Refusal } from '#app/components/consent/refusal.tsx';
import { RefuseRole } from '#app/components/consent/refuse-role.tsx';
import { RefuseSlot } from '#app/components/consent/refuse-slot.tsx';
import { TooManyAttempts } from '#app/components/consent/too-many-attempts.tsx';
import { UnknownClient } from '#app/components/consent/unknown-client.tsx';
import type { ConsentView } from '#server/oauth/consent-view.ts';

/** Each case of the consent page in words (spec.md §4.1). */
export function ConsentContent({ view }: { view: ConsentView }) {
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
      return <TooManyAttempts {...view} />;
    case 'no_workspace':
      return (
        <Refusal title="You are not in a workspace" next={{ label: 'Go on', href: '/no-workspace' }}>
          <p>
            {view.platformName} connects to a workspace, and you are signed in without one. Ask an owner or
            admin of your team’s workspace to invite you, then start again from {view.platformName}.
          </p>
        </Refusal>
      );
    case 'stale_form':
      return (
        <Refusal title="This page is out of date" next={{ label: 'Start again', href: view.retryUrl }}>
          <p>
            It was answered already, was open for too long, or belongs to another sign-in. Nothing was
            connected this time.
          </p>
        </Refusal>
      );
    case 'switched':
      return (
        <Refusal title="Another workspace is open now" next={{ label: 'Look again', href: view.retryUrl }}>
          <p>
            You switched workspace in another tab after this page had opened. Nothing was connected, so that
            {` ${view.platformName} `}does not end up in the wrong one. Look again and choose.
          </p>
        </Refusal>
      );
    case 'refused_role':
      return (
        <Refusal
          title="Only owners and admins can connect"
          next={{ label: 'Choose another workspace', href: view.retryUrl }}
        >
          <p>
            You are not an owner or admin of the workspace you chose. Nothing was connected. Ask one of them
            to connect {view.platformName}, or choose a workspace where you are.
          </p>
        </Refusal>
      );
    case 'refused_slot':
      return (
        <Refusal
          title="No free slot in this workspace"
          next={{ label: 'Compare plans', href: '/settings/plan' }}
          otherwise={{ label: 'Choose another workspace', href: view.retryUrl }}
        >
          <p>
            Connecting {view.platformName} takes an integration slot, and all slots of the workspace’s plan
            are in use by other integrations. Nothing was connected. An owner can move to a plan with more
            slots.
          </p>
        </Refusal>
      );
  }
}
