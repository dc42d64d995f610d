'use client';

import { CircleAlert, CircleCheck } from 'lucide-react';
import { Toaster as Sonner } from 'sonner';

/** Where outcomes are told, at the bottom right; announced politely. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
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
