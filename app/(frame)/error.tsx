'use client';

import { ErrorState, type FaultProps } from '#app/components/ui/layout/error-state.tsx';

export default function ErrorInFrame(props: FaultProps) {
  return <ErrorState {...props} />;
}
