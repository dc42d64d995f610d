'use client';

import { type ErrorPageProps, ErrorState } from '#app/components/ui/error-state.tsx';

export default function ShellErrorPage(props: ErrorPageProps) {
  return <ErrorState {...props} />;
}
