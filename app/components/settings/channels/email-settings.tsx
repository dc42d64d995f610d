import { Mail } from 'lucide-react';
import Link from 'next/link';
import { PostedMail } from '#app/components/settings/channels/posted-mail.tsx';
import { SigningItem } from '#app/components/settings/channels/signing-item.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { getScreens } from '#app/data/get-screens.ts';

/** What can be set up for email: how it is signed, and an address to which a provider posts what arrives. */
export async function EmailSettings() {
  const { domains, postedMail } = await (await getScreens()).channels.email();
  return (
    <section aria-labelledby="channel-email">
      <Card className="divide-y">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 px-5 py-3">
          <Mail aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
          <h2 id="channel-email" className="text-base">
            Email
          </h2>
          <p className="ml-auto text-list">
            <Link href="/settings/workspace" className="font-medium text-accent-ink hover:underline">
              Domains and mailboxes
            </Link>
          </p>
        </div>
        {domains.length === 0 ? (
          <p className="px-5 py-4 text-ink-soft text-list">
            No email domain yet. Add one in the workspace settings; its emails can then be signed here.
          </p>
        ) : (
          <ul className="divide-y">
            {domains.map((domain) => (
              <SigningItem key={domain.id} domain={domain} />
            ))}
          </ul>
        )}
        <PostedMail postedMail={postedMail} />
      </Card>
    </section>
  );
}
