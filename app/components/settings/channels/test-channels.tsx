import { FlaskConical } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

/** Explains the channels of a test workspace, which has all of them and connects none. */
export function TestChannels() {
  return (
    <Card>
      <EmptyState
        icon={FlaskConical}
        title="All channels work without connecting them"
        action={
          <Link href="/settings/outbox" className={buttonClass('primary')}>
            Open outbox
          </Link>
        }
      >
        <p>
          Write as a contact from the outbox, and reply in the inbox. Replies are stored in the outbox instead
          of being sent.
        </p>
      </EmptyState>
    </Card>
  );
}
