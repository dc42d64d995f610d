import { MessageCircleOff } from 'lucide-react';
import { AuthCard } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

/** For visitors, who have no inbox to go to. */
export default function NoChat() {
  return (
    <AuthCard>
      <h1 className="sr-only">Page not found</h1>
      <EmptyState icon={MessageCircleOff} title="There is no chat at this address">
        <p>The link may be old or incomplete.</p>
      </EmptyState>
    </AuthCard>
  );
}
