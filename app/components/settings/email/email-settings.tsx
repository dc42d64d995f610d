import Link from 'next/link';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { EmailDomains } from '#app/components/settings/email/email-domains.tsx';
import { EmailForms } from '#app/components/settings/email/email-forms.tsx';
import { EmailState } from '#app/components/settings/email/email-state.tsx';
import { Mailboxes } from '#app/components/settings/email/mailboxes.tsx';
import { PostedMail } from '#app/components/settings/email/posted-mail.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { getScreens } from '#app/data/session.ts';
import type { EmailStep } from '#server/screens/settings/channel-views.ts';

/** Everything about the email of the workspace: what receives, what sends, and what is missing. */
export async function EmailSettings() {
  const view = await (await getScreens()).channels.email();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <RefreshOn topic="channels" />
      <section aria-label="State" className="grid grid-cols-[minmax(0,1fr)]">
        <Card className="divide-y">
          <EmailState view={view} />
          {view.nextStep ? <NextStep step={view.nextStep} /> : null}
        </Card>
      </section>
      <EmailDomains view={view} />
      <Mailboxes view={view} />
      <EmailForms forms={view.forms} />
      <PostedMail postedMail={view.postedMail} />
    </div>
  );
}

function NextStep({ step: { text, link, href } }: { step: EmailStep }) {
  const className = 'font-medium text-accent-ink hover:underline';
  return (
    <p className="text-pretty px-5 py-4">
      <b className="font-semibold">Next step.</b> {text}{' '}
      {href.startsWith('#') ? (
        <a href={href} className={className}>
          {link}
        </a>
      ) : (
        <Link href={href} className={className}>
          {link}
        </Link>
      )}
    </p>
  );
}
