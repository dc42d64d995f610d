import { AcceptForm, JoinForm } from '#app/components/account/invitation-forms.tsx';
import { SignOutButton } from '#app/components/shell/sign-out-button.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { exactTime } from '#app/lib/format-time.ts';
import { pageContext } from '#server/screens/page-context.ts';
import type { InvitationView } from '#server/screens/settings/people-views.ts';

type Open = Extract<InvitationView, { kind: 'open' }>;

export function InvitationCard({ view, token }: { view: Open; token: string }) {
  const { workspaceName, asRole, invitedBy, email, expiresAt } = view;
  return (
    <>
      <CardHeader title={`Join ${workspaceName}`}>
        <p>
          {invitedBy ? `${invitedBy} has invited you. ` : null}
          {view.next === 'join'
            ? `Create your account to become ${asRole} of ${workspaceName}.`
            : `You can join ${workspaceName} at ${pageContext().serviceName}, as ${asRole}.`}
        </p>
        <p>For {email}</p>
      </CardHeader>
      <NextStep view={view} token={token} />
      <p className="text-center text-ink-faint text-xs">
        The invitation works once, until {exactTime(expiresAt, 'UTC')}.
      </p>
    </>
  );
}

function NextStep({ view, token }: { view: Open; token: string }) {
  const here = `/invitation?token=${encodeURIComponent(token)}`;
  switch (view.next) {
    case 'join':
      return (
        <JoinForm token={token} email={view.email} name={view.name} workspaceName={view.workspaceName} />
      );
    case 'accept':
      return <AcceptForm token={token} workspaceName={view.workspaceName} />;
    case 'sign_in':
      return (
        <div className="grid gap-3">
          <p className="text-balance text-center text-ink-soft">
            This address already has an account. Sign in with it to accept the invitation.
          </p>
          <a href={`/sign-in?next=${encodeURIComponent(here)}`} className={buttonClass('primary')}>
            Sign in
          </a>
        </div>
      );
    case 'sign_on':
      return (
        <div className="grid gap-3">
          <p className="text-balance text-center text-ink-soft">
            Your organization uses single sign-on. Signing in there accepts the invitation.
          </p>
          {/* A full page load: the provider is another site. */}
          <a href={view.signOnPath ?? '/sign-in'} className={buttonClass('primary')}>
            Continue with single sign-on
          </a>
          {view.takesPassword ? (
            <a href={`${here}&with=password`} className={buttonClass('quiet')}>
              Use a password instead
            </a>
          ) : null}
        </div>
      );
    case 'sign_out':
      return (
        <div className="grid gap-3">
          <p className="text-balance text-center text-ink-soft [overflow-wrap:anywhere]">{view.problem}</p>
          <SignOutButton goTo={here} />
        </div>
      );
  }
}
