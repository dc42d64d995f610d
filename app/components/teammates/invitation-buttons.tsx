'use client';

import { useTransition } from 'react';
import { toast } from 'sonner';
import { resendInvitation } from '#app/components/teammates/resend-invitation.ts';
import { withdrawInvitation } from '#app/components/teammates/withdraw-invitation.ts';
import { Button } from '#app/components/ui/button.tsx';

type Props = { id: string; email: string; describedBy: string };

/** Sends an invitation again, or withdraws it. */
export function InvitationButtons({ id, email, describedBy }: Props) {
  const [pending, start] = useTransition();
  const resend = () =>
    start(async () => {
      const problem = await resendInvitation(id);
      if (problem) toast.error('Not sent again', { description: problem });
      else {
        toast.success(`A new link is on its way to ${email}`, {
          description: 'The earlier link no longer works.',
        });
      }
    });
  const withdraw = () =>
    start(async () => {
      const problem = await withdrawInvitation(id);
      if (problem) toast.error('Not withdrawn', { description: problem });
      else
        toast.success(`Invitation for ${email} withdrawn`, {
          description: 'Its link no longer works.',
        });
    });
  const common = { disabled: pending, 'aria-busy': pending, 'aria-describedby': describedBy };
  return (
    <div className="flex gap-2">
      <Button onClick={resend} {...common}>
        Send again
      </Button>
      <Button onClick={withdraw} {...common}>
        Withdraw
      </Button>
    </div>
  );
}
