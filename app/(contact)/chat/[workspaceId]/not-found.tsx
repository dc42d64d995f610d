import { MessageCircleOff } from 'lucide-react';
import { AuthCard } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

/** The not-found page for visitors, without a link to the inbox. */
export default function ChatNotFound() {
  return (
    <AuthCard>
      <h1 className="sr-only">Page not found</h1>
      <EmptyState icon={MessageCircleOff} title="There is no chat at this address">
        <p>The link may be old or incomplete.</p>
      </EmptyState>
    </AuthCard>
  );
}
