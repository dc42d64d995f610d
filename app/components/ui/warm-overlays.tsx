'use client';

import { useEffect } from 'react';
import { loadKit } from '#app/components/ui/use-kit.ts';
import { whenIdle } from '#app/components/ui/when-idle.ts';

/** Loads what draws overlays once the page is idle, so that the first one opens at once. Shows nothing. */
export function WarmOverlays() {
  useEffect(() => whenIdle(() => void loadKit().catch(() => {})), []);
  return null;
}
