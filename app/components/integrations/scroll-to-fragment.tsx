'use client';

import { useEffect } from 'react';

/** Scrolls to an element that the URL names. The browser does not, because the element is streamed after the page has loaded. */
export function ScrollToFragment({ id }: { id: string }) {
  useEffect(() => {
    if (window.location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
  }, [id]);
  return null;
}
