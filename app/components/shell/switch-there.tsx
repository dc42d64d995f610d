'use client';

import { lazyPart } from '#app/components/ui/lazy-part.tsx';

/** Only few pages of the inbox offer to switch. */
export const SwitchThere = lazyPart(() => import('#app/components/shell/switch-there-form.tsx'));
