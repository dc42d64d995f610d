'use client';

import { CircleAlert, CircleCheck } from 'lucide-react';
import { Toaster as Sonner } from 'sonner';
import { useMatchMedia } from '#app/components/ui/use-match-media.ts';

/**
 * Where outcomes are announced, politely: at the side of the navigation, as at the other one they would lie over
 * what one works with, and at the top of a phone, where the keyboard is not.
 */
export function Toaster() {
  const isWide = useMatchMedia('(min-width: 48rem)');
  return (
    <Sonner
      position={isWide ? 'bottom-left' : 'top-center'}
      style={{ fontFamily: 'inherit' }}
      icons={{
        success: <CircleCheck aria-hidden size={18} className="text-good" />,
        error: <CircleAlert aria-hidden size={18} className="text-danger-ink" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-start gap-2.5 rounded-lg border border-line bg-surface p-3 text-ink text-sm shadow-lg shadow-black/5 md:w-90',
          title: 'font-medium',
          description: 'text-ink-soft',
          actionButton: 'ml-auto shrink-0 font-medium text-accent-ink hover:underline',
        },
      }}
    />
  );
}
