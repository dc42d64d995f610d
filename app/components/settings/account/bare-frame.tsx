import Link from 'next/link';
import type { ReactNode } from 'react';
import { SignOutButton } from '#app/components/shell/sign-out.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { Toaster } from '#app/components/ui/toaster.tsx';

/** What surrounds a page of somebody who is signed in and in no workspace. */
export function BareFrame({ children }: { children: ReactNode }) {
  return (
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
  );
}
