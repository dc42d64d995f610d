import { Compass } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

export default function NotFoundInFrame() {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={Compass}
        title="This is not in the open workspace"
        action={
          <Link href="/inbox" className={buttonClass('primary')}>
            Go to the inbox
          </Link>
        }
      >
        <p>
          It may have been removed, or it belongs to another workspace of yours. Open that one and try again.
        </p>
      </EmptyState>
    </>
  );
}
