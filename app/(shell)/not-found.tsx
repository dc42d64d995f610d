import { Compass } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

export default function NotFoundInShell() {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={Compass}
        title="There is nothing here"
        action={
          <Link href="/inbox" className={buttonClass('primary')}>
            Go to the inbox
          </Link>
        }
      >
        <p>The link may be incomplete, the page may have been removed, or you may not have access to it.</p>
      </EmptyState>
    </>
  );
}
