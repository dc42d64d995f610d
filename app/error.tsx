'use client';

import { AuthCard } from '#app/components/ui/layout/auth-card.tsx';
import { ErrorState, type FaultProps } from '#app/components/ui/layout/error-state.tsx';

export default function ErrorPage(props: FaultProps) {
  return (
    <AuthCard>
      <ErrorState {...props} />
    </AuthCard>
  );
}
