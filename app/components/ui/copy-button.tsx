'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';

const FEEDBACK_MS = 2000;

/** Copies a text and briefly shows a confirmation. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard
      .writeText(text)
      .then(() => setCopied(true))
      .catch(() => setCopied(false));
  return (
    <>
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? 'Copied' : `Copy: ${what}`}
        onClick={copy}
        className="size-7 max-md:size-11"
      />
    </>
  );
}
