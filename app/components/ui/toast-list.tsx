'use client';

import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { handleToasts, type Toast } from '#app/components/ui/toast.ts';
import { useMatchMedia } from '#app/components/ui/use-match-media.ts';

/**
 * Renders toasts (a polite live region): at the top right below the page's header, where they cover neither the
 * account menu nor a list's rows and buttons, and at the top of phones, below the bars and away from the keyboard.
 */
export default function ToastList() {
  const isWide = useMatchMedia('(min-width: 48rem)');
  // Child effects run first, so Sonner is subscribed by now.
  useEffect(() => handleToasts(show), []);
  return (
    <Sonner
      position={isWide ? 'top-right' : 'top-center'}
      offset={{ top: 64, right: 16 }}
      mobileOffset={{ top: 100 }}
      // On phones the command menu fills the screen. Toasts stay behind it.
      className="max-md:[body:has([data-command-menu])_&]:z-30!"
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
