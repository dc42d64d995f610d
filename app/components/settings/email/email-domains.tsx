import Link from 'next/link';
import { CopiedValues } from '#app/components/settings/channels/copied-values.tsx';
import { addDomain, removeDomain, verifyDomain } from '#app/components/settings/email/actions.ts';
import { DomainPart } from '#app/components/settings/email/domain-part.tsx';
import { DomainRoute } from '#app/components/settings/email/domain-route.tsx';
import { DomainSigning } from '#app/components/settings/email/domain-signing.tsx';
import { VerifyDomain } from '#app/components/settings/email/verify-domain.tsx';
import { AddDomainForm } from '#app/components/ui/add-domain-form.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { DomainView, EmailSettingsView } from '#server/screens/settings/channel-views.ts';

/** Lists email domains: ownership, receiving and signing of each. */
export function EmailDomains({ view }: { view: EmailSettingsView }) {
  const { domains, planProblem } = view;
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null).map(({ id }) => id);
  return (
    <Section
      id="email-domains"
      title="Email domains"
      about="A domain sends email once it is verified. It receives email once its MX record points here, or its mail server forwards it."
    >
      {domains.length === 0 ? (
        <p className="p-5 text-ink-soft">No email domain yet. Add one to send and receive email.</p>
      ) : (
        <ul className="divide-y">
          {domains.map((domain) => (
            <DomainRow
              key={domain.id}
              domain={domain}
              mayVerify={planProblem === null}
              host={view.inboundHost}
              verified={verified}
            />
          ))}
        </ul>
      )}
      {planProblem ? (
        <PlanNeeded>{planProblem}</PlanNeeded>
      ) : (
        <AddDomainForm add={addDomain} next="Now add its DNS record and verify it." />
      )}
      <FocusWhenLost on={`${domains.length} ${verified.length}`} goTo="email-domains" />
    </Section>
  );
}

function PlanNeeded({ children }: { children: string }) {
  return (
    <p className="p-5 text-ink-soft">
      {children}{' '}
      <Link href="/settings/plan" className="font-medium text-accent-ink hover:underline">
        Compare plans
      </Link>
    </p>
  );
}

type RowProps = { domain: DomainView; mayVerify: boolean; host: string | null; verified: string[] };

function DomainRow({ domain, mayVerify, host, verified }: RowProps) {
  const { id, domain: name, verifiedAt, record, mayRemove } = domain;
  return (
    <li aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 [overflow-wrap:anywhere]">{name}</h3>
        {mayRemove ? (
          <DeleteButton verb="Remove" name={name} act={removeDomain.bind(null, id)}>
            <p>
              You can no longer add mailboxes on this domain. Adding it again later needs a new DNS record.
            </p>
          </DeleteButton>
        ) : (
          <p className="text-ink-soft text-list">To remove this domain, remove its mailboxes first.</p>
        )}
      </div>
      <DomainPart
        name="Ownership"
        state={
          verifiedAt ? (
            <StatusDot tone="good" wrap>
              <span>
                Verified <RelativeTime at={verifiedAt} />
              </span>
            </StatusDot>
          ) : (
            <StatusDot tone="waiting">Not verified yet</StatusDot>
          )
        }
      >
        {verifiedAt ? null : (
          <>
            <DomainRecord record={record} />
            {mayVerify ? <VerifyDomain domainId={id} domain={name} verify={verifyDomain} /> : null}
          </>
        )}
      </DomainPart>
      {verifiedAt && host ? (
        <DomainRoute domainId={id} domain={name} host={host} verified={verified} />
      ) : null}
      {verifiedAt ? <DomainSigning domain={domain} /> : null}
    </li>
  );
}

/** The DNS record of a domain, in the parts that providers ask for. */
export function DomainRecord({ record: { type, name, value } }: { record: DomainView['record'] }) {
  return (
    <div className="grid gap-2">
      <p className="max-w-[65ch] text-pretty text-list">
        Add this record to the domain’s DNS, for example at your registrar. Don’t remove it before the domain
        is verified.
      </p>
      <CopiedValues
        values={[
          { label: 'Type', value: type },
          { label: 'Name', value: name },
          { label: 'Value', value },
        ]}
      />
    </div>
  );
}
