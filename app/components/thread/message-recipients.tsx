'use client';

import { useState } from 'react';
import { cx } from '#app/lib/cx.ts';
import type { RecipientsView } from '#server/screens/inbox/thread-views.ts';

/** Addresses shown per kind before "and n more". */
const SHOWN_MAX = 3;

const KINDS = [
  { kind: 'to', label: 'To' },
  { kind: 'cc', label: 'Cc' },
  { kind: 'bcc', label: 'Bcc' },
] as const;

/** Recipients of an email, one line per kind. */
export function MessageRecipients({ recipients, atEnd }: { recipients: RecipientsView; atEnd: boolean }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const lines = KINDS.filter(({ kind }) => recipients[kind].length > 0);
  if (lines.length === 0) return null;
  return (
    <div className={cx('grid min-w-0 max-w-full text-ink-soft text-xs', atEnd && 'justify-items-end')}>
      {lines.map(({ kind, label }) => (
        <p key={kind} className={cx('max-w-full [overflow-wrap:anywhere]', atEnd && 'text-right')}>
          {label}{' '}
          {(isExpanded ? recipients[kind] : recipients[kind].slice(0, SHOWN_MAX)).map((address, at) => (
            <span key={address}>
              {at > 0 ? ', ' : ''}
              <bdi>{address}</bdi>
            </span>
          ))}
          {kind === 'bcc' ? ' (hidden from other recipients)' : ''}
          {recipients[kind].length > SHOWN_MAX ? (
            <>
              {' '}
              <button
                type="button"
                aria-expanded={isExpanded}
                onClick={() => setIsExpanded(!isExpanded)}
                className="rounded-sm font-medium underline-offset-2 hover:text-ink hover:underline"
              >
                {isExpanded ? 'Show fewer' : `and ${recipients[kind].length - SHOWN_MAX} more`}
              </button>
            </>
          ) : null}
        </p>
      ))}
    </div>
  );
}
