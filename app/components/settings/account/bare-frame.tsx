'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { SignOutButton } from '#app/components/shell/sign-out-button.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { NowProvider } from '#app/components/ui/now-provider.tsx';
import { Toaster } from '#app/components/ui/toaster.tsx';

type Props = { renderedAt: number; children: ReactNode };

/** Page layout for signed-in users without a workspace. Provides what forms, lists and times need of `Shell`. */
export function BareFrame({ renderedAt, children }: Props) {
  const [queries] = useState(() => new QueryClient());
  return (
    <NowProvider renderedAt={renderedAt}>
      <QueryClientProvider client={queries}>
        <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)]">
          <header className="flex items-center justify-between border-b p-2">
            <Link href="/no-workspace" className={buttonClass('quiet')}>
              Back
            </Link>
            <SignOutButton />
          </header>
          <main id="content" className="min-h-0 bg-surface">
            {children}
          </main>
          <Toaster />
        </div>
      </QueryClientProvider>
    </NowProvider>
  );
}
