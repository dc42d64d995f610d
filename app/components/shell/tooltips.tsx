'use client';

import { lazyPart } from '#app/components/ui/lazy-part.tsx';

/** Tooltips of all icon buttons of the page. */
export const Tooltips = lazyPart(() => import('#app/components/shell/tooltip-layer.tsx'));
