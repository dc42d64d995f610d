import Link from 'next/link';
import { addDomain } from '#app/components/settings/workspace/actions.ts';
import { DomainRow } from '#app/components/settings/workspace/domain-row.tsx';
import { AddDomainForm } from '#app/components/ui/add-domain-form.tsx';
import { FocusWhenLost } from '#app/components/ui/focus-when-lost.tsx';
import { Section } from '#app/components/ui/section.tsx';
import type { DomainView } from '#server/screens/settings/views.ts';

type Props = {
  domains: DomainView[];
  /** Why none can be added or verified, or null. */
  problem: string | null;
};

/** The domains that email is sent from: their state, and the way to add and to verify one. */
export function EmailDomains({ domains, problem }: Props) {
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null).length;
  return (
    <Section
      id="email-domains"
      title="Email domains"
      about="Email is sent from this workspace once you verify your domain: add a record to its DNS, then verify it here."
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

/** What the plan lacks, and the way to another. */
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
