'use client';

import { ErrorState, type FaultProps } from '#app/components/ui/error-state.tsx';

export default function ErrorInShell(props: FaultProps) {
  return <ErrorState {...props} />;
}
