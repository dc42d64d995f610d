import { Compass } from 'lucide-react';
import type { Metadata } from 'next';
import { buttonClass } from '#app/components/ui/button.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

export const metadata: Metadata = { title: 'Page not found' };

export default function NotFound() {
  return (
    <AuthCard>
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={Compass}
        title="This page does not exist"
        action={
          <a href="/inbox" className={buttonClass('primary')}>
            Go to the inbox
          </a>
        }
      >
        <p>The link may be old or incomplete.</p>
      </EmptyState>
    </AuthCard>
  );
}
