'use client';

import { createContext, useContext } from 'react';

/** Closes the phone's menu; does nothing in the sidebar, which is always there. */
export const CloseMenuContext = createContext<() => void>(() => {});

export function useCloseMenu(): () => void {
  return useContext(CloseMenuContext);
}
