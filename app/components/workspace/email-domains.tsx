import Link from 'next/link';
import { AddDomainForm } from '#app/components/ui/add-domain-form.tsx';
import { FocusWhenLost } from '#app/components/ui/focus-when-lost.tsx';
import { addDomain } from '#app/components/workspace/actions.ts';
import { DomainRow } from '#app/components/workspace/domain-row.tsx';
import { Section } from '#app/components/workspace/section.tsx';
import type { DomainView } from '#server/members/workspaces/views.ts';

type Props = {
  domains: DomainView[];
  /** Why none can be added or verified, or null. */
  problem: string | null;
};

/** The domains that e-mail is sent from: how they stand, and the way to add and to verify one. */
export function EmailDomains({ domains, problem }: Props) {
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null).length;
  return (
    <Section
      id="email-domains"
      title="E-mail domains"
      about="E-mail leaves this workspace once it is shown that the domain is yours: whoever runs the domain adds a record to its DNS, and you verify it here."
    >
      {domains.length === 0 ? (
        <p className="p-5 text-ink-soft">
          There is no domain yet, so e-mail is saved in its conversation, but not sent.
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
        <AddDomainForm add={addDomain} next="Now add its record and verify it." />
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
