'use client';

import { CircleAlert, CircleCheck } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { handleToasts, type Toast } from '#app/components/ui/toast.ts';
import { useMatchMedia } from '#app/components/ui/use-match-media.ts';

/**
 * Renders toasts (a polite live region): at the top right, where they cover neither a list's rows nor the primary button
 * of a page, and left of a conversation's details, whose top names the contact. On phones at the top, below the bars and
 * away from the keyboard.
 */
export default function ToastList() {
  const isWide = useMatchMedia('(min-width: 48rem)');
  const path = usePathname();
  // Child effects run first, so Sonner is subscribed by now.
  useEffect(() => handleToasts(show), []);
  return (
    <Sonner
      position={isWide ? 'top-right' : 'top-center'}
      offset={{ top: topOn(path), right: 16 }}
      // Below the bar of the app, or of a conversation.
      mobileOffset={{ top: path.startsWith('/inbox') ? 100 : 60 }}
      // On phones the command menu fills the screen. Toasts stay behind it.
      className={`max-md:[body:has([data-command-menu])_&]:z-30! ${BESIDE_DETAILS}`}
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

/** Details are 264 px wide as a column, and 320 px as a sheet on narrower screens. */
const BESIDE_DETAILS =
  'min-[87.5rem]:[body:has(#conversation-details:not(.hidden))_&]:right-70! md:max-[87.5rem]:[body:has(#conversation-details:not(.hidden))_&]:right-84!';

/** Returns the distance from the top in px: below the buttons of the inbox and of lists, above those of other pages. */
function topOn(path: string): number {
  if (path.startsWith('/inbox')) return 64;
  return path === '/contacts' || path === '/contacts/companies' ? 76 : 12;
}

function show({ kind, title, options }: Toast): void {
  if (kind === 'plain') toast(title, options);
  else toast[kind](title, options);
}
