'use client';

import { AuthCard } from '#app/components/ui/card.tsx';
import { type ErrorPageProps, ErrorState } from '#app/components/ui/error-state.tsx';

export default function ErrorPage(props: ErrorPageProps) {
  return (
    <AuthCard>
      <ErrorState {...props} />
    </AuthCard>
  );
}
