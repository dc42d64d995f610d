import { CircleCheck } from 'lucide-react';
import { FoldedValues } from '#app/components/settings/channels/copied-values.tsx';
import { ProviderForm } from '#app/components/settings/single-sign-on/provider-form.tsx';
import { SignOnDomains } from '#app/components/settings/single-sign-on/sign-on-domains.tsx';
import { JoinSelect, RequireSwitch } from '#app/components/settings/single-sign-on/sign-on-rules.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { getScreens } from '#app/data/session.ts';
import type { SingleSignOnView } from '#server/screens/settings/views.ts';

/** Single sign-on, for owners. `test`: the result of a test that led here. */
export async function SingleSignOnSettings({ test }: { test: string | undefined }) {
  const view = await (await getScreens()).singleSignOn.get();
  const { provider, domains, redirectUri, startUrl } = view;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section
        id="provider"
        title="Identity provider"
        about="Any provider with OpenID Connect, such as Google Workspace, Microsoft Entra ID, Okta or Keycloak."
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-5">
          <FoldedValues
            title="Values for your provider"
            open={provider === null}
            values={[
              { label: 'Redirect URI', value: redirectUri },
              { label: 'Sign-in URL', value: startUrl },
              { label: 'Scopes', value: 'openid email profile' },
            ]}
          />
          <ProviderForm key={`${provider?.issuer} ${provider?.clientId}`} provider={provider} />
        </div>
      </Section>
      <SignOnDomains domains={domains} />
      {provider ? (
        <>
          <TestSection view={view} provider={provider} test={test} />
          <Section id="sign-on-rules" title="Rules" about="Who signs in through the provider, and who joins.">
            <RequireSwitch isRequired={provider.requiredAt !== null} problem={problemOf(view)} />
            <JoinSelect
              role={
                provider.joinRole === 'agent' || provider.joinRole === 'viewer' ? provider.joinRole : null
              }
            />
          </Section>
        </>
      ) : null}
    </div>
  );
}

/** Returns what is missing before single sign-on can be required, or null. */
function problemOf({ provider, domains }: SingleSignOnView): string | null {
  if (!domains.some(({ verifiedAt }) => verifiedAt !== null)) return 'Verify a domain first.';
  return provider?.testedAt ? null : 'Test the sign-in first.';
}

type TestProps = {
  view: SingleSignOnView;
  provider: NonNullable<SingleSignOnView['provider']>;
  test: string | undefined;
};

async function TestSection({ view, provider: { testedAt }, test }: TestProps) {
  const isReady = view.domains.some(({ verifiedAt }) => verifiedAt !== null);
  const problem =
    test === undefined || test === 'ok'
      ? null
      : await (await getScreens()).session.signOnProblem({ reason: test, workspaceId: '' });
  return (
    <Section
      id="test"
      title="Test sign-in"
      about="Sign in at your provider with an address in one of the domains. Your own session stays as it is. People can sign in through the provider once a test succeeded."
    >
      <div className="grid gap-4 p-5">
        {problem ? <Alert>The test failed. {problem.sentence}</Alert> : null}
        {test === 'ok' && testedAt ? (
          <p role="status" className="flex gap-2 rounded-lg border p-3">
            <CircleCheck aria-hidden size={18} className="mt-px shrink-0 text-good" />
            The test succeeded. People in the verified domains can now use single sign-on.
          </p>
        ) : null}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {isReady ? (
            // A full page load: the provider is another site.
            <a href={view.testPath} className={buttonClass(testedAt ? 'secondary' : 'primary')}>
              Test sign-in
            </a>
          ) : (
            <p className="text-ink-soft">Verify a domain first.</p>
          )}
          {isReady ? <TestState testedAt={testedAt} /> : null}
        </div>
      </div>
    </Section>
  );
}

function TestState({ testedAt }: { testedAt: Date | null }) {
  if (!testedAt) return <StatusDot tone="waiting">Not tested with these settings</StatusDot>;
  return (
    <StatusDot tone="good">
      <span>
        Succeeded <RelativeTime at={testedAt} />
      </span>
    </StatusDot>
  );
}
