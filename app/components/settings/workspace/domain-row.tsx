import { removeDomain } from '#app/components/settings/workspace/actions.ts';
import { DomainRecord } from '#app/components/settings/workspace/domain-record.tsx';
import { VerifyDomain } from '#app/components/settings/workspace/verify-domain.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { DomainView } from '#server/screens/settings/views.ts';

/** One domain: whether it is verified, and if not, what to do for it. */
export function DomainRow({ domain, mayVerify }: { domain: DomainView; mayVerify: boolean }) {
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
            <p>You can no longer add mailboxes on it. Adding it again later needs a new DNS record.</p>
          </DeleteButton>
        ) : (
          <p className="text-ink-soft text-list">To remove it, remove its mailboxes first.</p>
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
