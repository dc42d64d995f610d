import Link from 'next/link';
import { CopiedValues } from '#app/components/settings/channels/copied-values.tsx';
import { addDomain, removeDomain } from '#app/components/settings/workspace/actions.ts';
import { VerifyDomain } from '#app/components/settings/workspace/verify-domain.tsx';
import { AddDomainForm } from '#app/components/ui/add-domain-form.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { DomainView } from '#server/screens/settings/views.ts';

type Props = {
  domains: DomainView[];
  /** Reason why domains cannot be added or verified, or null. */
  problem: string | null;
};

/** Lists email domains with their verification state. */
export function EmailDomains({ domains, problem }: Props) {
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null).length;
  return (
    <Section
      id="email-domains"
      title="Email domains"
      about="Verify your domain to send email from this workspace."
    >
      {domains.length === 0 ? (
        <p className="p-5 text-ink-soft">
          No domains yet. Until one is verified, emails are saved in the conversation but not sent.
        </p>
      ) : (
        <ul className="divide-y">
          {domains.map((domain) => (
            <DomainRow key={domain.id} domain={domain} mayVerify={problem === null} />
          ))}
        </ul>
      )}
      {problem ? (
        <PlanNeeded>{problem}</PlanNeeded>
      ) : (
        <AddDomainForm add={addDomain} next="Now add its DNS record and verify it." />
      )}
      <FocusWhenLost on={`${domains.length} ${verified}`} goTo="email-domains" />
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

function DomainRow({ domain, mayVerify }: { domain: DomainView; mayVerify: boolean }) {
  const { id, domain: name, verifiedAt, record, mayRemove } = domain;
  return (
    <li aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-0.5">
          <h3 className="[overflow-wrap:anywhere]">{name}</h3>
          <p className="text-list">
            {verifiedAt ? (
              <StatusDot tone="good">
                <span>
                  Verified <RelativeTime at={verifiedAt} />
                </span>
              </StatusDot>
            ) : (
              <StatusDot tone="waiting">Not verified yet</StatusDot>
            )}
          </p>
        </div>
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
      {verifiedAt ? null : (
        <>
          <DomainRecord record={record} />
          {mayVerify ? <VerifyDomain domainId={id} domain={name} /> : null}
        </>
      )}
    </li>
  );
}

/** The DNS record of a domain, in the parts that providers ask for. */
function DomainRecord({ record: { type, name, value } }: { record: DomainView['record'] }) {
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
