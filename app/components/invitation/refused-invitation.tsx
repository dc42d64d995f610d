import { buttonClass } from '#app/components/ui/button-class.ts';
import { CardHeader } from '#app/components/ui/layout/card-header.tsx';

/** An invitation that cannot be accepted: why, and where to go from here. */
export function RefusedInvitation({ message, signedIn }: { message: string; signedIn: boolean }) {
  return (
    <>
      <CardHeader title="This invitation cannot be accepted">{message}</CardHeader>
      <a href={signedIn ? '/inbox' : '/sign-in'} className={buttonClass('primary')}>
        {signedIn ? 'Go to the inbox' : 'Go to sign-in'}
      </a>
    </>
  );
}
