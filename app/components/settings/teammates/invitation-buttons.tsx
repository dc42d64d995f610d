'use client';

import { resendInvitation, withdrawInvitation } from '#app/components/settings/teammates/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

type Props = { id: string; email: string; describedBy: string };

/** Sends an invitation again, or withdraws it. */
export function InvitationButtons({ id, email, describedBy }: Props) {
  const resend = useAction(resendInvitation, {
    failed: 'Could not send the invitation again',
    done: () => ({
      title: `A new link is on its way to ${email}`,
      description: 'The earlier link no longer works.',
    }),
  });
  const withdraw = useAction(withdrawInvitation, {
    failed: 'Could not withdraw the invitation',
    done: () => ({
      title: `Invitation for ${email} withdrawn`,
      description: 'Its link no longer works.',
    }),
  });
  const pending = resend.pending || withdraw.pending;
  const common = { disabled: pending, 'aria-busy': pending, 'aria-describedby': describedBy };
  return (
    <div className="flex gap-2">
      <Button onClick={() => resend.start(id)} {...common}>
        Send again
      </Button>
      <Button onClick={() => withdraw.start(id)} {...common}>
        Withdraw
      </Button>
    </div>
  );
}
