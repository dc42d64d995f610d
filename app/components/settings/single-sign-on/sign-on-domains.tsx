import { DomainRecord } from '#app/components/settings/email/email-domains.tsx';
import { VerifyDomain } from '#app/components/settings/email/verify-domain.tsx';
import { removeSignOnDomain, verifySignOnDomain } from '#app/components/settings/single-sign-on/actions.ts';
import { AddSignOnDomain } from '#app/components/settings/single-sign-on/add-sign-on-domain.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { SingleSignOnView } from '#server/screens/settings/views.ts';

type Domain = SingleSignOnView['domains'][number];

/** Domains whose people sign in through the provider. */
export function SignOnDomains({ domains }: { domains: Domain[] }) {
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null);
  return (
    <Section
      id="sign-on-domains"
      title="Domains"
      about="People with an address in one of these domains sign in through your provider, once the domain is verified."
    >
      {domains.length === 0 ? (
        <p className="p-5 text-ink-soft">No domain yet. Add the domain of your email addresses.</p>
      ) : (
        <ul className="divide-y">
          {domains.map((domain) => (
            <DomainItem key={domain.id} domain={domain} />
          ))}
        </ul>
      )}
      <AddSignOnDomain />
      <FocusWhenLost on={`${domains.length} ${verified.length}`} goTo="sign-on-domains" />
    </Section>
  );
}

function DomainItem({ domain: { id, domain, verifiedAt, record } }: { domain: Domain }) {
  return (
    <li aria-label={domain} className="grid grid-cols-[minmax(0,1fr)] gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-1">
          <h3 className="min-w-0 [overflow-wrap:anywhere]">{domain}</h3>
          <span className="text-list">
            {verifiedAt ? (
              <StatusDot tone="good">
                <span>
                  Verified <RelativeTime at={verifiedAt} />
                </span>
              </StatusDot>
            ) : (
              <StatusDot tone="waiting">Not verified yet</StatusDot>
            )}
          </span>
        </div>
        <DeleteButton verb="Remove" name={domain} act={removeSignOnDomain.bind(null, id)}>
          <p>People with an address in it sign in with their password again. Nobody is signed out.</p>
        </DeleteButton>
      </div>
      {verifiedAt ? null : (
        <>
          <DomainRecord record={record} />
          <VerifyDomain domainId={id} domain={domain} verify={verifySignOnDomain} />
        </>
      )}
    </li>
  );
}
