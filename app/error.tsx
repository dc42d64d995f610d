'use client';

import { AuthCard } from '#app/components/ui/card.tsx';
import { ErrorState, type FaultProps } from '#app/components/ui/error-state.tsx';

export default function ErrorPage(props: FaultProps) {
  return (
    <AuthCard>
      <ErrorState {...props} />
    </AuthCard>
  );
}
