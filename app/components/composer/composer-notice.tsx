import { Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

type Props = { icon: LucideIcon; children: ReactNode; link?: { href: string; label: string } | null };

/** A notice in the composer, with an optional link to fix its cause. */
export function ComposerNotice({ icon: Icon, children, link }: Props) {
  return (
    <p className="flex gap-2 text-ink-soft text-list">
      <Icon aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {children}
        {link ? (
          <>
            {' '}
            <Link
              href={link.href}
              prefetch={false}
              className="whitespace-nowrap text-accent-ink underline underline-offset-2"
            >
              {link.label}
            </Link>
          </>
        ) : null}
      </span>
    </p>
  );
}

/** Says why a reply would not reach the contact, or that the conversation is closed. */
export function ReplyNotice({ view: { replyWarning } }: { view: Pick<ComposerView, 'replyWarning'> }) {
  if (!replyWarning) {
    return <ComposerNotice icon={Info}>You can still reply. The conversation stays closed.</ComposerNotice>;
  }
  return (
    <ComposerNotice icon={TriangleAlert} link={settingsLink(replyWarning.href)}>
      {replyWarning.sentence}
    </ComposerNotice>
  );
}

const LABELS: Record<string, string> = {
  '/settings/plan': 'See the plans',
  '/settings/channels/email': 'Set up email',
  '/settings/channels': 'Connect a channel',
};

/** Returns the link to the settings page that fixes a composer problem. */
export function settingsLink(href: string | null): { href: string; label: string } | null {
  return href === null ? null : { href, label: LABELS[href] ?? 'Settings' };
}
