'use client';

import { lazyParts } from '#app/components/ui/lazy-part.tsx';

const rareParts = lazyParts(() => import('#app/components/shell/rare-parts.ts'));

/** Tooltips of all icon buttons of the page. */
export const Tooltips = rareParts('TooltipLayer');
