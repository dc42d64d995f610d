'use client';

import { ErrorState, type FaultProps } from '#app/components/ui/layout/error-state.tsx';

export default function ErrorInShell(props: FaultProps) {
  return <ErrorState {...props} />;
}
