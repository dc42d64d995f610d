'use client';

import { endOtherSessions, endSession } from '#app/components/settings/account/actions.ts';
import { DeviceRow, DOT, deviceName } from '#app/components/settings/device-row.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { SessionView } from '#server/screens/settings/account-views.ts';

/** The browsers in which the teammate is signed in. Others can be signed out. */
export function SessionList({ sessions }: { sessions: SessionView[] }) {
  const others = useAction(endOtherSessions, {
    failed: 'Could not sign out other browsers',
    done: 'Other browsers are signed out',
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ul aria-labelledby="sessions" className="divide-y rounded-lg border">
        {sessions.map((session) => (
          <Item key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 ? (
        <ConfirmDialog
          trigger={<Button className="w-fit max-md:w-full">Sign out everywhere else</Button>}
          title="Sign out everywhere else?"
          confirm="Sign out"
          variant="primary"
          onConfirm={others.run}
        >
          <p>You stay signed in here. Drafts that are stored only in other browsers stay there.</p>
        </ConfirmDialog>
      ) : null}
      <FocusWhenLost on={sessions.length} goTo="sessions" />
    </div>
  );
}

function Item({ session }: { session: SessionView }) {
  const { id, device, address, signedInAt, lastUsedAt, isCurrent } = session;
  const end = useAction(() => endSession(id), {
    failed: 'Could not sign out the browser',
    done: 'Browser signed out',
  });
  const name = deviceName(device);
  return (
    <DeviceRow
      name={name}
      isCurrent={isCurrent}
      details={
        <>
          {isCurrent ? 'In use now' : <Used at={lastUsedAt} />}
          {address === null ? null : `${DOT}${address}`}
          {DOT}Signed in <RelativeTime at={signedInAt} />
        </>
      }
      action={
        isCurrent ? null : (
          <Button
            variant="quiet"
            aria-label={`Sign out ${name}${address === null ? '' : `, ${address}`}`}
            disabled={end.pending}
            aria-busy={end.pending}
            onClick={() => end.start()}
          >
            Sign out
          </Button>
        )
      }
    />
  );
}

function Used({ at }: { at: Date }) {
  return (
    <>
      Last used <RelativeTime at={at} />
    </>
  );
}
