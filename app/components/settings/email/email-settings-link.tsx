import Link from 'next/link';
import { buttonClass } from '#app/components/ui/button.tsx';
import type { EmailStep } from '#server/screens/settings/channel-views.ts';

/** Links to the email settings, as the primary button while email is not received or not sent. */
export function EmailSettingsLink({ nextStep }: { nextStep: EmailStep | null }) {
  const isMissing = nextStep !== null && !nextStep.isOptional;
  return (
    <Link href="/settings/channels/email" className={buttonClass(isMissing ? 'primary' : 'secondary')}>
      {isMissing ? 'Set up email' : 'Email settings'}
    </Link>
  );
}
