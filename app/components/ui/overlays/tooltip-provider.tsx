'use client';

import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

const DELAY_MS = 300;

/** Lets the times below show the exact moment on hover, one tooltip at a time. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Tooltip.Provider delayDuration={DELAY_MS}>{children}</Tooltip.Provider>;
}
