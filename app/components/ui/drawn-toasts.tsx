'use client';

import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { type Toast, takeToasts } from '#app/components/ui/toast.ts';
import { useMatchMedia } from '#app/components/ui/use-match-media.ts';

/**
 * Where outcomes are announced, politely: at the side of the navigation, as at the other one they would lie over
 * what one works with, and at the top of a phone, where the keyboard is not.
 */
export default function DrawnToasts() {
  const isWide = useMatchMedia('(min-width: 48rem)');
  // Effects of what is inside come first: by now Sonner listens.
  useEffect(() => takeToasts(show), []);
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

function show({ kind, title, options }: Toast): void {
  if (kind === 'plain') toast(title, options);
  else toast[kind](title, options);
}
